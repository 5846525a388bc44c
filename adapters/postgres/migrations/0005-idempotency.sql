-- Advisory lock (1196771662, 2): removing rows.
create schema if not exists http;

-- One row for each Idempotency-Key of one identity, for a day (docs/decisions/0006-idempotency-keys.md). All times are of
-- Postgres' clock. Removed rows make room for new ones early.
create table if not exists http.idempotency_keys (
  id             bytea       primary key,
  fingerprint    bytea       not null,
  command_id     uuid        not null,
  started_at     timestamptz not null default clock_timestamp(),
  sealed_recipe  bytea       not null,
  sealed_answer  bytea
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- The number of the turn, and until when it lasts unless extended; null if the turn is free
-- (docs/decisions/0058-what-was-undone.md).
alter table http.idempotency_keys add column if not exists turn bigint not null default 0;
alter table http.idempotency_keys add column if not exists held_until timestamptz;
-- The holder of the turn: the number of an advisory lock that its process holds until it ends.
alter table http.idempotency_keys add column if not exists holder int;
alter table http.idempotency_keys alter column started_at set default clock_timestamp();

create index if not exists idempotency_keys_by_age on http.idempotency_keys (started_at);
