create schema if not exists mail;

create table if not exists mail.outbox (
  id          bigint      generated always as identity primary key,
  -- A keyed hash of the letter's identity: a second letter with the same key is ignored.
  key         bytea       not null unique,
  -- waiting: to be sent. kept: there was no mail server. parked: the mail server refuses it. done: only its key is left.
  state       text        not null check (state in ('waiting', 'kept', 'parked', 'done')),
  sealed      bytea,
  created_at  timestamptz not null default now(),
  tries       integer     not null default 0,
  -- When it is tried next; while it is being sent, when another process may try.
  due_at      timestamptz not null default now(),
  -- Codes only: the texts of mail servers contain addresses.
  failure     text,
  check ((sealed is null) = (state = 'done'))
);

-- The account that it is about; null for mails from before this column existed.
alter table mail.outbox add column if not exists account_id bigint;

create index if not exists outbox_by_account on mail.outbox (account_id) where state <> 'done';
create index if not exists outbox_due on mail.outbox (due_at) where state = 'waiting';
create index if not exists outbox_shown on mail.outbox (id) where state in ('kept', 'parked');
create index if not exists outbox_done on mail.outbox (created_at) where state = 'done';
