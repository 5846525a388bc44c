-- Applied each time the notes are opened, as one query string and so in one transaction: those who open them at the same
-- moment wait here for each other. The advisory lock (1196771663, 2) is the tables' of this schema.
select pg_advisory_xact_lock(1196771663, 2);

create schema if not exists session_activity;

-- When sessions were last used, roughly. No history: nothing is lost where this table is.
create table if not exists session_activity.sessions (
  token_hash    text        primary key,
  last_used_at  timestamptz not null
);

create index if not exists sessions_by_age on session_activity.sessions (last_used_at);
