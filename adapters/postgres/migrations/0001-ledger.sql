create schema if not exists ledger;

-- The migrations that this database has run (adapters/postgres/migrate.ts).
create table if not exists ledger.migrations (
  number integer     primary key,
  name   text        not null,
  -- The digest of the statements without comments: SHA-256 in hexadecimal.
  digest text        not null,
  ran_at timestamptz not null default clock_timestamp()
);
