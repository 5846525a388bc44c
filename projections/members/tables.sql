-- Who is in which guild. A member who joins just as a guild is deleted may be left here: queries ask whether the guild exists.
create table members (
  guild_id                      int8         not null,
  account_id                    int8         not null,
  joined_at                     timestamptz  not null,
  temporary                     boolean      not null,
  roles                         int8[]       not null,
  admission                     jsonb        not null,
  mute                          boolean      not null default false,
  deaf                          boolean      not null default false,
  communication_disabled_until  timestamptz,
  avatar                        text,
  banner                        text,
  accent_color                  int4,
  profile_flags                 int4         not null default 0,
  mention_flags                 int4         not null default 0,
  primary key (guild_id, account_id)
);

create index members_by_account on members (account_id, guild_id);
create index temporary_members on members (guild_id, account_id) where temporary;

-- Who came by which invite. Most members stand in one of the two at most.
create index members_by_invite on members (guild_id, (admission->>'code'), account_id) where admission->>'code' is not null;
create index members_by_custom_invite on members (guild_id, account_id) where admission->>'by' = 'custom_invite';

-- What members are called and say of themselves in a guild, where they do: few have a row. The rows of an account that is erased
-- go at once, whatever becomes of its memberships.
create table member_texts (
  guild_id    int8  not null,
  account_id  int8  not null,
  nick        text,
  bio         text,
  pronouns    text,
  primary key (guild_id, account_id)
);

create index member_texts_by_account on member_texts (account_id);
-- Finds a nickname by its beginning.
create index member_texts_by_nick on member_texts (guild_id, lower(nick) text_pattern_ops) where nick is not null;

create table member_counts (
  guild_id      int8  primary key,
  member_count  int4  not null default 0
);
