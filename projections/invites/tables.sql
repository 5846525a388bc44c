-- Every invite that still stands on record. Expired and used up ones stay until they are removed; queries leave them out. Those
-- to a private channel have no guild. Those of a guild that is no more stay: they tell that it is gone.
create table invites (
  code        text        primary key,
  guild_id    int8,
  channel_id  int8        not null,
  inviter_id  int8        not null,
  uses        int4        not null,
  max_uses    int4        not null,
  max_age     int4        not null,
  temporary   boolean     not null,
  created_at  timestamptz not null,
  expires_at  timestamptz
);

create index invites_by_guild on invites (guild_id, created_at desc);
create index invites_by_channel on invites (channel_id, created_at desc);
create index invites_in_any_case on invites (lower(code));

-- The custom invite URLs, with the admissions by each. Whoever was on the way in when a code went leaves a row without one.
create table custom_urls (
  guild_id  int8  primary key,
  code      text,
  uses      int4  not null default 0
);

create index custom_urls_by_code on custom_urls (code);
