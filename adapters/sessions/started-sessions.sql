-- Applied each time it is opened, as one query string and so in one transaction: those who open it at the same moment wait
-- here for each other. The advisory lock (1196771663, 5) is the tables' of this schema.
select pg_advisory_xact_lock(1196771663, 5);

create schema if not exists started_sessions;

-- The accounts that have ever started a Gateway session. Nothing is known of them besides.
create table if not exists started_sessions.accounts (
  account_id  int8  primary key
);
