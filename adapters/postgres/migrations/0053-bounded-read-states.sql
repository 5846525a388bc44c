-- Removes those read states of an account that were moved longest ago, beyond as many as it may have. Waits for nobody: what another
-- transaction holds is left for the next time.
create function messages.trim_read_states(of_account bigint, states_max bigint, kept bigint[]) returns void language sql volatile as $$
  delete from messages.read_states r using (
    select d.channel_id from messages.read_states d
    where d.account_id = of_account and d.channel_id <> all(kept)
    order by greatest(d.counted_from, d.last_pin_at), d.channel_id
    limit greatest(0, (select count(*) from messages.read_states where account_id = of_account) - states_max)
    for update skip locked
  ) doomed
  where r.account_id = of_account and r.channel_id = doomed.channel_id
$$;

-- Acknowledges messages as `messages.acknowledge` does, which processes of the version before call. Only the channels `in_sight` get a
-- read state if they have none; what is acknowledged in others is told, and kept nowhere. Without `in_sight`, nothing is done and nothing
-- is given if any channel has none: the caller looks which of them the account may see, and asks again.
create function messages.acknowledge_in_sight(
  of_account bigint, together boolean, held bigint, entries jsonb, in_sight bigint[], states_max bigint)
returns table (last_message_id bigint, mention_count integer, last_pin_at timestamptz, has_moved boolean)
language plpgsql volatile as $$
declare
  channels bigint[] := array(select distinct (e.value ->> 'channel_id')::int8 from jsonb_array_elements(entries) e order by 1);
  entry jsonb;
  before jsonb;
  state messages.read_states;
  of_channel bigint;
  of_message bigint;
  judged bigint;
  is_new boolean := false;
begin
  if in_sight is null then
    if (select count(*) from messages.read_states s where s.account_id = of_account and s.channel_id = any(channels))
      < cardinality(channels) then return; end if;
  else
    insert into messages.read_states (account_id, channel_id)
      select of_account, c from unnest(channels) c where c = any(in_sight) order by c on conflict do nothing;
    is_new := found;
  end if;
  select jsonb_object_agg(r.channel_id, r.last_message_id::text) into before from (
    select s.channel_id, s.last_message_id from messages.read_states s
    where s.account_id = of_account and s.channel_id = any(channels)
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
  if is_new then perform messages.trim_read_states(of_account, states_max, channels); end if;
end
$$;
