-- Whom a message mentions: one row for each account and each role that it names, and one for everyone, whose role has the id of the
-- guild. So no message costs a row for each member: how many mentions an account has not read is computed as it asks.
create table messages.mentions (
  channel_id bigint      not null,
  message_id bigint      not null,
  -- An account, a role, or a guild.
  target_id  bigint      not null,
  -- Null in a private channel.
  guild_id   bigint,
  -- The channel of a thread.
  parent_id  bigint,
  -- Whether it is a private thread.
  is_private boolean     not null,
  author_id  bigint      not null,
  -- By the clock of Postgres, like what it is compared with: ids come from the clocks of many processes.
  arrived_at timestamptz not null default clock_timestamp(),
  primary key (channel_id, message_id, target_id)
);

create index mentions_by_target on messages.mentions (target_id, channel_id, arrived_at)
  include (message_id, author_id, guild_id, parent_id, is_private);

-- What accounts have read of channels. Mentions that arrived after `counted_from` count in addition to `mention_count`.
create table messages.read_states (
  account_id      bigint      not null,
  channel_id      bigint      not null,
  -- Null while the account has acknowledged no message there.
  last_message_id bigint,
  mention_count   integer     not null default 0,
  counted_from    timestamptz not null default '-infinity',
  -- The last pin that the account has seen.
  last_pin_at     timestamptz,
  primary key (account_id, channel_id)
) with (fillfactor = 80);

create index read_states_by_channel on messages.read_states (channel_id);

-- What a notice says beside ids.
alter table messages.notices add column detail jsonb;

-- However a message is deleted, its mentions go with it.
create function messages.drop_mentions_with_messages() returns trigger language plpgsql as $$
begin
  delete from messages.mentions m using gone g where m.channel_id = g.channel_id and m.message_id = g.id;
  return null;
end
$$;

create trigger drop_mentions after delete on messages.messages referencing old table as gone
  for each statement execute function messages.drop_mentions_with_messages();

-- Acknowledges messages for an account, in the order of the entries, and tells its sessions of each that moves its read state. Gives
-- what came of each. Without `manual`, an entry moves its read state forwards or leaves it as it is. With `together`, each is judged by
-- what was there before all of them, and the furthest counts. Every writer of several rows takes them in the order of the channels.
create function messages.acknowledge(of_account bigint, together boolean, held bigint, entries jsonb)
returns table (last_message_id bigint, mention_count integer, last_pin_at timestamptz, has_moved boolean)
language plpgsql volatile as $$
declare
  entry jsonb;
  before jsonb;
  state messages.read_states;
  of_channel bigint;
  of_message bigint;
  judged bigint;
begin
  insert into messages.read_states (account_id, channel_id)
    select distinct of_account, (e.value ->> 'channel_id')::int8 from jsonb_array_elements(entries) e order by 2
    on conflict do nothing;
  select jsonb_object_agg(r.channel_id, r.last_message_id::text) into before from (
    select s.channel_id, s.last_message_id from messages.read_states s
    where s.account_id = of_account
      and s.channel_id in (select (e.value ->> 'channel_id')::int8 from jsonb_array_elements(entries) e)
    order by s.channel_id for no key update
  ) r;
  for entry in select e.value from jsonb_array_elements(entries) with ordinality e order by e.ordinality loop
    of_channel := (entry ->> 'channel_id')::int8;
    of_message := (entry ->> 'message_id')::int8;
    select * into state from messages.read_states s where s.account_id = of_account and s.channel_id = of_channel;
    judged := case when together then (before ->> of_channel::text)::int8 else state.last_message_id end;
    has_moved := (entry ->> 'manual')::boolean or judged is null or of_message >= judged;
    last_message_id := case when has_moved then of_message else state.last_message_id end;
    mention_count := case when has_moved then (entry ->> 'mention_count')::int4 else state.mention_count end;
    last_pin_at := state.last_pin_at;
    if has_moved then
      update messages.read_states s set
        last_message_id = case when together then greatest(s.last_message_id, of_message) else of_message end,
        mention_count = (entry ->> 'mention_count')::int4, counted_from = clock_timestamp()
      where s.account_id = of_account and s.channel_id = of_channel;
      insert into messages.notices (kind, channel_id, channel_type, recipients, after, message_ids, detail) values (
        'acknowledged', of_channel, 999, array[of_account], held, array[of_message],
        jsonb_build_object('mention_count', entry -> 'mention_count')
          || case when together then '{}' else jsonb_build_object('manual', entry -> 'manual') end);
    end if;
    return next;
  end loop;
end
$$;
