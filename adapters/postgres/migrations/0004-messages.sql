-- Advisory locks: (1196771690, 2) making a month's partition, (1196771691, hash) an author in a channel.
create schema if not exists messages;

-- One partition for each month, made by the first process that writes into it (`lay_month`). There is no default partition:
-- with one, Postgres could not read the months one after another, newest first, and stop when it has enough.
create table if not exists messages.messages (
  -- A snowflake: it holds the message's time, and orders messages.
  id                bigint      not null,
  channel_id        bigint      not null,
  guild_id          bigint,
  author_id         bigint      not null,
  type              smallint    not null,
  flags             integer     not null,
  content           text        not null,
  edited_at         timestamptz,
  tts               boolean     not null,
  mentions_everyone boolean     not null,
  mentions_here     boolean     not null,
  mentions          bigint[]    not null,
  mention_roles     bigint[]    not null,
  reference         jsonb,
  nonce             text,
  primary key (channel_id, id)
) partition by range (id);

create index if not exists messages_by_author on messages.messages (author_id, channel_id, id);

-- Made beside the table and attached to it, which blocks neither readers nor writers. Deleted messages leave the files when the
-- partition is vacuumed, so that happens early. Every caller takes the lock, even if the partition exists: it becomes visible a
-- moment before other processes learn that the table has it, and the lock is released after that. Without the lock an insert
-- could find no partition.
create or replace function messages.lay_month(name text, low bigint, high bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(1196771690, 2);
  if exists (select from pg_class where relnamespace = 'messages'::regnamespace and relname = name) then return; end if;
  execute format('create table messages.%I (like messages.messages including all)
    with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)', name);
  execute format('alter table messages.messages attach partition messages.%I for values from (%s) to (%s)', name, low, high);
end
$$;

-- When an author last wrote in a channel with slow mode. Deleting the message does not shorten the wait for the next one.
create table if not exists messages.paces (
  channel_id bigint not null,
  author_id  bigint not null,
  last_id    bigint not null,
  primary key (channel_id, author_id)
);

-- Postgres' clock alone: ids come from the clocks of many processes.
alter table messages.paces add column if not exists taken_at timestamptz not null default clock_timestamp();
create index if not exists paces_by_time on messages.paces (taken_at);

-- The same for threads that an author starts there. Slow mode counts them apart from messages.
create table if not exists messages.thread_paces (
  channel_id bigint not null,
  author_id  bigint not null,
  last_id    bigint not null,
  primary key (channel_id, author_id)
);

alter table messages.thread_paces add column if not exists taken_at timestamptz not null default clock_timestamp();
create index if not exists thread_paces_by_time on messages.thread_paces (taken_at);

-- What repeatable steps have posted, including deleted messages: none of it is posted again
-- (docs/decisions/0058-what-was-undone.md).
create table if not exists messages.posted_once (
  id         bigint not null,
  channel_id bigint not null,
  primary key (id, channel_id)
);

-- The message that the step found by its nonce; null for a message of its own.
alter table messages.posted_once add column if not exists message_id bigint;
alter table messages.posted_once add column if not exists kept_until timestamptz not null
  default clock_timestamp() + interval '7 days';
create index if not exists posted_once_by_end on messages.posted_once (kept_until);

-- Deletions that no audit log has recorded yet: ids, and the given reason. A row is deleted once its entry exists.
create table if not exists messages.unrecorded_deletions (
  entry_id       bigint      primary key,
  guild_id       bigint      not null,
  channel_id     bigint      not null,
  message_id     bigint,
  count          integer     not null,
  deleted_by     bigint      not null,
  at             timestamptz not null,
  command_id     text        not null,
  correlation_id text        not null,
  causation_id   text        not null,
  reason         text
);

create index if not exists unrecorded_deletions_by_age on messages.unrecorded_deletions (at, entry_id);

-- Removed channels, until no request can be under way that was allowed to write there before.
create table if not exists messages.removed_channels (
  channel_id bigint      primary key,
  removed_at timestamptz not null default clock_timestamp()
);

create index if not exists removed_channels_by_age on messages.removed_channels (removed_at);

-- How many messages a thread has, and ever had.
create table if not exists messages.tallies (
  channel_id    bigint  primary key,
  message_count integer not null,
  sent_count    integer not null
);

create sequence if not exists messages.notice_numbers cache 1;

-- The transaction gets its id before its number. So a reader that sees a number missing, and then draws an id itself, knows
-- that the number never comes once all lower ids have ended.
create or replace function messages.next_number() returns bigint language plpgsql volatile as $$
begin
  perform pg_current_xact_id();
  return nextval('messages.notice_numbers');
end
$$;

-- The notices for Gateways: ids, without any text that people wrote.
create table if not exists messages.notices (
  number       bigint      primary key default messages.next_number(),
  written_at   timestamptz not null default clock_timestamp(),
  kind         text        not null,
  channel_id   bigint      not null,
  channel_type smallint    not null,
  guild_id     bigint,
  parent_id    bigint,
  recipients   bigint[],
  after        bigint      not null,
  message_ids  bigint[]    not null,
  author_id    bigint
);

-- Notices up to this number are no longer kept.
create table if not exists messages.trimmed (
  only_row boolean primary key default true check (only_row),
  up_to    bigint  not null
);

insert into messages.trimmed (up_to) values (0) on conflict do nothing;
