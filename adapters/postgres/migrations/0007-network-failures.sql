create schema if not exists network_failures;

-- The networks with recently failed requests. Unlogged: a crash of Postgres forgives everything. A row is deleted once its
-- score is forgiven, and a score grows only with requests, so there are at most as many rows as requests in the last hour.
create unlogged table if not exists network_failures.scores (
  -- The first 16 bytes of the SHA-256 of the network.
  key    bytea            primary key,
  -- The score at an instant, in milliseconds of Postgres' clock since the Unix epoch.
  score  double precision not null,
  at_ms  double precision not null
) with (fillfactor = 50);
