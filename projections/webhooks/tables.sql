-- Every webhook that was not deleted, also those of deleted channels, which come back with their channel.
create table webhooks (
  id                 int8   primary key,
  guild_id           int8   not null,
  channel_id         int8   not null,
  name               text   not null,
  avatar             text,
  creator_id         int8   not null,
  kind               int2   not null,
  -- Sealed with a key of the instance.
  token              text,
  source_guild_id    int8,
  source_channel_id  int8
);

create index webhooks_by_guild on webhooks (guild_id, id);
create index webhooks_by_channel on webhooks (channel_id, id);
create index webhooks_by_creator on webhooks (creator_id, id);
create index webhooks_by_source on webhooks (source_channel_id, id) where source_channel_id is not null;
