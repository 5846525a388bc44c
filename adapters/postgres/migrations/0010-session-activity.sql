create schema if not exists session_activity;

-- When sessions were last used, roughly. This is not history: losing the table loses nothing of importance.
create table if not exists session_activity.sessions (
  token_hash    text        primary key,
  last_used_at  timestamptz not null
);

create index if not exists sessions_by_age on session_activity.sessions (last_used_at);
