-- The emojis and stickers of guilds. Deleted ones stay as long as their image does: messages show it.
create table expressions (
  id           int8     primary key,
  guild_id     int8     not null,
  kind         text     not null,
  name         text     not null,
  description  text     not null,
  tags         text[]   not null,
  animated     boolean  not null,
  image        text     not null,
  creator_id   int8     not null,
  deleted      boolean  not null
);

create index expressions_by_guild on expressions (guild_id, id);
