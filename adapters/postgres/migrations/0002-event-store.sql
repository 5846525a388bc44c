-- Advisory lock (1196771660, 1): appends take turns.
create schema if not exists event_store;

create table if not exists event_store.events (
  -- Grows with every event. A rolled-back transaction loses its numbers, so readers never wait for the next number.
  position bigint generated always as identity primary key,
  stream text collate "C" not null,
  revision integer not null,
  event_id uuid not null unique,
  type text not null,
  data jsonb not null,
  metadata jsonb not null,
  unique (stream, revision)
);

create table if not exists event_store.snapshots (
  stream text collate "C" primary key,
  state_version integer not null,
  revision integer not null,
  state jsonb not null
);

-- Writes many append requests in one transaction: group commit. The batch is a JSON array of
--   {"stream": ..., "expected": ..., "events": [{"id": ..., "type": ..., "data": ..., "metadata": ...}, ...]}
-- of which the first may say "quiet": true, where no other process listens: nobody is told then. The three arrays
-- of the answer stand in its order. Outcomes: appended, repeated (these very events were there already), conflict (the stream stands at the revision), taken (an event id is there already, but not these very events).
-- Only appended wrote. Revisions and positions are those of a request's last event, and `before` is the newest position that the
-- store had: what was appended comes right after it.
--
-- The lock lets readers follow positions: they are drawn under it, and it is held until the commit, so no position becomes
-- visible after a higher one. It is taken first, so that each statement below sees what the holder before committed.
--
-- Plans are made once and never read a whole table, not even one that was empty when they were made. A change of the signature
-- needs a new name, so that processes of both versions can append side by side.
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
    perform pg_notify('event_store_events', drawn[cardinality(drawn)]::text);
  end if;
  for turn in 1 .. total loop
    if bases[turn] is not null then
      written := written + revisions[turn] - bases[turn];
      positions[turn] := drawn[written];
    end if;
  end loop;
end
$$;
