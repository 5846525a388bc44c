-- A file that is uploaded before its message. The row is there before the first byte of it, and until after the last part is gone.
create table messages.uploads (
  id         bigint      primary key,
  channel_id bigint      not null,
  account_id bigint      not null,
  -- The credential that asked for it.
  holder     text        not null,
  filename   text        not null,
  size_bytes bigint      not null,
  -- Of an upload in parts: the size of each but the last.
  part_bytes bigint,
  -- The file of an attachment that it has become: its id, and what was found of it. Null until all of it is there.
  file_id    bigint,
  file       jsonb,
  -- The command whose message took it.
  spent_by   text,
  due_at     timestamptz not null
);

create index uploads_due on messages.uploads (due_at);
create index uploads_by_account on messages.uploads (account_id);
