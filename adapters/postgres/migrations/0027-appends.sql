-- The same function as in 0002-event-store.sql, which says what it does, with two changes.
--
-- One request of one event, which is what comes while a process is not busy, goes a shorter way: it took 115 us of Postgres beside
-- the round trip, 70 now. Everything else goes the long way, a conflict and a repeated event too.
--
-- Processes that listen are told the events themselves: {"after": ..., "events": [...]}, the rows as `select` gives them. The
-- position follows, which is all that processes of the version before understand
-- (docs/decisions/0136-appends-are-told-with-their-events.md).
create function event_store.tell_events(known bigint, last bigint) returns void language plpgsql
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
as $$
declare
  told text;
begin
  -- More do not fit into a notification, which has less than 8,000 bytes.
  if last - known <= 20 then
    select json_build_object('after', known::text, 'events', json_agg(json_build_object(
      'stream', e.stream, 'revision', e.revision, 'position', e.position::text, 'eventId', e.event_id, 'type', e.type,
      'data', e.data, 'metadata', e.metadata) order by e.position))::text
    into told from event_store.events e where e.position > known and e.position <= last;
    if octet_length(told) < 7900 then
      perform pg_notify('event_store_events', told);
    end if;
  end if;
  perform pg_notify('event_store_events', last::text);
end
$$;

create or replace function event_store.append_events(
  batch jsonb,
  out before bigint,
  out outcomes text[],
  out revisions integer[],
  out positions bigint[]
)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
as $$
declare
  single jsonb;
  event jsonb;
  new_position bigint;
  asked record;
  earlier record;
  stream_now text;
  revision_now integer;
  total integer := jsonb_array_length(batch);
  bases integer[] := array_fill(null::integer, array[total]);
  drawn bigint[];
  written integer := 0;
begin
  outcomes := array_fill(null::text, array[total]);
  revisions := bases;
  positions := array_fill(null::bigint, array[total]);
  perform pg_advisory_xact_lock(1196771660, 1);
  select coalesce(max(e.position), -1) into before from event_store.events e;

  if total = 1 and jsonb_array_length(batch -> 0 -> 'events') = 1 then
    single := batch -> 0;
    event := single -> 'events' -> 0;
    select coalesce(max(e.revision), -1) into revision_now from event_store.events e where e.stream = single ->> 'stream';
    if revision_now = (single -> 'expected')::integer and (
      revision_now = -1 or not exists (select from event_store.events e where e.event_id = (event ->> 'id')::uuid)
    ) then
      insert into event_store.events (stream, revision, event_id, type, data, metadata)
      values (
        single ->> 'stream', revision_now + 1, (event ->> 'id')::uuid, event ->> 'type', event -> 'data', event -> 'metadata'
      ) returning position into new_position;
      positions[1] := new_position;
      outcomes[1] := 'appended';
      revisions[1] := revision_now + 1;
      if (single -> 'quiet') is null then
        perform event_store.tell_events(before, new_position);
      end if;
      return;
    end if;
  end if;

  -- By stream, so that a request sees what earlier requests did to its stream.
  for asked in
    select
      r.turn::integer as turn,
      r.item ->> 'stream' as stream,
      (r.item -> 'expected')::integer as expected,
      jsonb_array_length(r.item -> 'events') as count,
      s.revision,
      case when s.revision is not null then (
        select e.position from event_store.events e where e.event_id = (r.item -> 'events' -> 0 ->> 'id')::uuid
      ) end as known
    from jsonb_array_elements(batch) with ordinality r (item, turn)
    cross join lateral (
      select max(e.revision) as revision from event_store.events e where e.stream = r.item ->> 'stream'
    ) s
    order by 2, 1
  loop
    if asked.stream is distinct from stream_now then
      stream_now := asked.stream;
      revision_now := coalesce(asked.revision, -1);
    end if;
    if asked.known is not null then
      select count(*) = asked.count as whole, max(e.revision) as revision, max(e.position) as position into earlier
      from jsonb_array_elements(batch -> (asked.turn - 1) -> 'events') n (item)
      cross join lateral (
        select * from event_store.events e
        where e.event_id = (n.item ->> 'id')::uuid and e.stream = asked.stream limit 1
      ) e;
      outcomes[asked.turn] := case when earlier.whole then 'repeated' else 'taken' end;
      revisions[asked.turn] := earlier.revision;
      positions[asked.turn] := earlier.position;
    elsif asked.expected is distinct from revision_now then
      outcomes[asked.turn] := 'conflict';
      revisions[asked.turn] := revision_now;
    else
      outcomes[asked.turn] := 'appended';
      bases[asked.turn] := revision_now;
      revision_now := revision_now + asked.count;
      revisions[asked.turn] := revision_now;
    end if;
  end loop;

  with inserted as (
    insert into event_store.events (stream, revision, event_id, type, data, metadata)
    select
      r.item ->> 'stream',
      bases[r.turn] + n.ordinal,
      (n.item ->> 'id')::uuid,
      n.item ->> 'type',
      n.item -> 'data',
      n.item -> 'metadata'
    from jsonb_array_elements(batch) with ordinality r (item, turn)
    cross join lateral jsonb_array_elements(r.item -> 'events') with ordinality n (item, ordinal)
    where bases[r.turn] is not null
    order by r.turn, n.ordinal
    returning position
  )
  -- Drawn in the order of the insert, so counting gives the position of a request's last event.
  select array_agg(i.position order by i.position) into drawn from inserted i;
  if drawn is null then
    return;
  end if;
  if (batch -> 0 -> 'quiet') is null then
    perform event_store.tell_events(before, drawn[cardinality(drawn)]);
  end if;
  for turn in 1 .. total loop
    if bases[turn] is not null then
      written := written + revisions[turn] - bases[turn];
      positions[turn] := drawn[written];
    end if;
  end loop;
end
$$;
