-- Every invite that still stands on record. Expired and used up ones stay until they are removed; queries leave them out.
create table invites (
  code        text        primary key,
  guild_id    int8        not null,
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
