-- Every thread that was started and not deleted.
create table threads (
  id                     int8        primary key,
  guild_id               int8        not null,
  parent_id              int8        not null,
  owner_id               int8        not null,
  type                   int2        not null,
  name                   text        not null,
  auto_archive_duration  int4        not null,
  rate_limit_per_user    int4        not null,
  invitable              boolean,
  flags                  int4        not null,
  applied_tags           text[]      not null,
  archived               boolean     not null,
  archived_at            timestamptz not null,
  locked                 boolean     not null,
  starter_id             int8,
  created_at             timestamptz not null
);

create index threads_active on threads (guild_id, id) where not archived;
create index threads_archived on threads (parent_id, archived_at desc) where archived;
create index threads_by_parent on threads (parent_id, id);
create index threads_by_guild on threads (guild_id, id);
create index threads_perhaps_idle on threads (id) where not archived;

-- Who has joined which thread, at most 1000 each.
create table members (
  thread_id    int8        not null,
  account_id   int8        not null,
  guild_id     int8        not null,
  joined_at    timestamptz not null,
  -- Of the event: what came before or after it is told by this, and by no clock.
  added_position int8      not null,
  flags        int4        not null,
  muted        boolean     not null,
  mute_config  json,
  primary key (thread_id, account_id)
);

create index members_by_account on members (account_id, guild_id);
