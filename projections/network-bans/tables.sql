-- Every ban that was not lifted. Those that have ended stay until they are lifted or made anew; queries leave them out.
create table bans (
  network     text        primary key,
  cause       text        not null,
  reason      text,
  banned_by   int8,
  banned_at   timestamptz not null,
  expires_at  timestamptz
);

create index bans_by_end on bans (expires_at);

-- One row: how often bans were made or lifted. Whoever keeps a copy of the bans sees by it that there is something new.
create table changes (
  id     int4  primary key,
  count  int8  not null default 0
);
