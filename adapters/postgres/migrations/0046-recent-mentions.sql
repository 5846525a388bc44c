-- The newest mentions of accounts, roles and guilds.
create index mentions_newest on messages.mentions (target_id, message_id desc)
  include (channel_id, guild_id, author_id, arrived_at) where guild_id is not null;

-- Mentions that an account has put aside.
create table messages.dismissed_mentions (
  account_id bigint not null,
  channel_id bigint not null,
  message_id bigint not null,
  primary key (account_id, message_id)
);

create index dismissed_mentions_by_message on messages.dismissed_mentions (channel_id, message_id);

create or replace function messages.drop_mentions_with_messages() returns trigger language plpgsql as $$
begin
  delete from messages.mentions m using gone g where m.channel_id = g.channel_id and m.message_id = g.id;
  delete from messages.dismissed_mentions d using gone g where d.channel_id = g.channel_id and d.message_id = g.id;
  return null;
end
$$;
