-- What jobs that delete an author's messages have deleted, and the last message that each came to. Written by the statement that
-- deletes.
create table messages.shreds (
  job_id        bigint      primary key,
  deleted_count bigint      not null,
  channel_id    bigint      not null,
  message_id    bigint      not null,
  written_at    timestamptz not null default clock_timestamp()
);

create index shreds_by_age on messages.shreds (written_at);
