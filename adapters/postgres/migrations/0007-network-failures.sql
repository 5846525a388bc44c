create schema if not exists network_failures;

-- The networks whose requests have failed lately. Unlogged: a crash of Postgres forgives everything. A row goes once its score
-- is forgiven, and a score grows with requests alone, so there are no more rows than requests of the last hour.
create unlogged table if not exists network_failures.scores (
  -- The first 16 bytes of the SHA-256 of the network.
  key    bytea            primary key,
  -- What its failures came to at an instant, in milliseconds of Postgres' clock since the Unix epoch.
  score  double precision not null,
  at_ms  double precision not null
) with (fillfactor = 50);
