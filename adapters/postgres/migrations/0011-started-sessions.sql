create schema if not exists started_sessions;

-- The accounts that have ever started a Gateway session, and nothing else about them.
create table if not exists started_sessions.accounts (
  account_id  int8  primary key
);
