-- Who is in which guild. A member who joins just as a guild is deleted may be left here: queries ask whether the guild exists.
create table members (
  guild_id    int8        not null,
  account_id  int8        not null,
  joined_at   timestamptz not null,
  temporary   boolean     not null,
  roles       int8[]      not null,
  admission   jsonb       not null,
  primary key (guild_id, account_id)
);

create index members_by_account on members (account_id, guild_id);

create table member_counts (
  guild_id      int8  primary key,
  member_count  int4  not null default 0
);
