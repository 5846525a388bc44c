create schema if not exists rate_limits;

-- The leaky buckets that are not full; a bucket without a row is full. Times are milliseconds. Unlogged: a take does not wait
-- for the disk, and a crash of Postgres empties the table, so that every bucket is full after it. Half of each page stays free,
-- so that a changed row stays in its page and the index stays as it is.
create unlogged table if not exists rate_limits.buckets (
  -- The first 16 bytes of the SHA-256 of the bucket's key.
  key       bytea            primary key,
  -- The rate of the newest takes.
  requests  double precision not null,
  seconds   double precision not null,
  -- When the newest takes were, by Postgres' clock since the Unix epoch, and how long after that the bucket is full.
  at_ms     double precision not null,
  owed_ms   double precision not null,
  -- The number of the newest takes, and how many of them were admitted.
  asked     integer          not null,
  admitted  integer          not null
) with (fillfactor = 50);

-- How many of the requested takes a bucket admits at once. The same formula as `drip` in leaky-bucket.ts, with the same
-- allowance for rounding.
create or replace function rate_limits.admitted(
  owed_ms double precision,
  requests double precision,
  seconds double precision,
  asked integer
)
  returns integer
  language sql
  immutable
  parallel safe
as $$
  select least(asked, greatest(0, floor((seconds * 1000 + 1e-6 - owed_ms) / (seconds * 1000 / requests))))::integer
$$;
