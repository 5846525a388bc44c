-- Applied each time the rows are opened, as one query string and so in one transaction: those who open them at the same
-- moment wait here for each other. The advisory lock (1196771662, 1) is the tables' of this schema.
select pg_advisory_xact_lock(1196771662, 1);

create schema if not exists http;

-- One row for each Idempotency-Key of one identity, for a day (docs/decisions/0006-idempotency-keys.md).
create table if not exists http.idempotency_keys (
  id             bytea       primary key,
  fingerprint    bytea       not null,
  command_id     uuid        not null,
  started_at     timestamptz not null,
  sealed_recipe  bytea       not null,
  sealed_answer  bytea
);

create index if not exists idempotency_keys_by_age on http.idempotency_keys (started_at);
