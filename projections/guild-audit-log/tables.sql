-- What the audit logs of guilds show. A guild's log is destroyed with the guild.
create table entries (
  guild_id     int8   not null,
  id           int8   not null,
  action_type  int4   not null,
  user_id      int8,
  target_id    text,
  reason       text,
  options      jsonb  not null,
  changes      jsonb  not null,
  primary key (guild_id, id)
);

create index entries_by_user on entries (guild_id, user_id, id desc);
create index entries_by_action on entries (guild_id, action_type, id desc);
-- What a channel or a thread was, its making tells: CHANNEL_CREATE and THREAD_CREATE are looked for by target, nothing else is.
create index entries_of_makings on entries (guild_id, target_id) where action_type in (10, 110);

-- What of an entry tells of a person by more than its id: it goes with that account's erasure, the entry stays.
create table personal_parts (
  guild_id    int8   not null,
  id          int8   not null,
  account_id  int8   not null,
  reason      text,
  changes     jsonb  not null,
  primary key (guild_id, id)
);

create index personal_parts_by_account on personal_parts (account_id);
