-- Applied each time the store is opened, as one query string and so in one transaction: those who open it at the same
-- moment wait here for each other. Advisory locks of the event store: (1196771660, 1) appends, (1196771660, 2) tables.
select pg_advisory_xact_lock(1196771660, 2);

create schema if not exists event_store;

create table if not exists event_store.events (
  -- Grows with every event. A number is lost where a transaction rolls back, so readers never wait for the next one.
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
-- and `request` in the answer counts from 0. Outcomes: appended, repeated (these very events were there already), conflict
-- (the stream stands at `revision`), taken (an event id is there already, but not these very events). Only appended wrote.
--
-- The lock is what lets readers follow positions: they are drawn under it and it is held until the commit, so no position
-- shows after a higher one. It is taken first, because each statement below then sees what the holder before committed.
--
-- Plans are made once and never read a whole table, not even one that was empty when they were made.
create or replace function event_store.append_batch(batch jsonb)
  returns table (request integer, outcome text, revision integer, "position" bigint)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  asked record;
  stream_now text;
  revision_now integer;
  accepted integer[] := '{}';
  bases integer[] := '{}';
  counts integer[] := '{}';
  positions bigint[];
  written integer := 0;
begin
  perform pg_advisory_xact_lock(1196771660, 1);

  -- By stream, so that a request sees what those before it did to its stream.
  for asked in
    select
      (r.ordinal - 1)::integer as request,
      r.item ->> 'stream' as stream,
      (r.item -> 'expected')::integer as expected,
      r.item -> 'events' as events,
      jsonb_array_length(r.item -> 'events') as count,
      coalesce((select max(e.revision) from event_store.events e where e.stream = r.item ->> 'stream'), -1) as revision,
      (select e.position from event_store.events e where e.event_id = (r.item -> 'events' -> 0 ->> 'id')::uuid) is not null as known
    from jsonb_array_elements(batch) with ordinality r (item, ordinal)
    order by 2, 1
  loop
    if asked.stream is distinct from stream_now then
      stream_now := asked.stream;
      revision_now := asked.revision;
    end if;
    if asked.known then
      return query
        select asked.request, case when count(e) = asked.count then 'repeated' else 'taken' end, max(e.revision), max(e.position)
        from jsonb_array_elements(asked.events) n (item)
        left join event_store.events e on e.event_id = (n.item ->> 'id')::uuid and e.stream = asked.stream;
    elsif asked.expected is distinct from revision_now then
      request := asked.request;
      outcome := 'conflict';
      revision := revision_now;
      "position" := null;
      return next;
    else
      accepted := accepted || asked.request;
      bases := bases || revision_now;
      counts := counts || asked.count;
      revision_now := revision_now + asked.count;
    end if;
  end loop;
  if cardinality(accepted) = 0 then
    return;
  end if;

  with inserted as (
    insert into event_store.events (stream, revision, event_id, type, data, metadata)
    select
      batch -> a.request ->> 'stream',
      a.base + n.ordinal,
      (n.item ->> 'id')::uuid,
      n.item ->> 'type',
      n.item -> 'data',
      n.item -> 'metadata'
    from unnest(accepted, bases) with ordinality a (request, base, turn)
    cross join lateral jsonb_array_elements(batch -> a.request -> 'events') with ordinality n (item, ordinal)
    order by a.turn, n.ordinal
    returning position
  )
  -- Positions are drawn in the order of the insert: the last one of a request is known by counting.
  select array_agg(i.position order by i.position) into positions from inserted i;
  perform pg_notify('event_store_events', positions[cardinality(positions)]::text);

  for turn in 1 .. cardinality(accepted) loop
    written := written + counts[turn];
    request := accepted[turn];
    outcome := 'appended';
    revision := bases[turn] + counts[turn];
    "position" := positions[written];
    return next;
  end loop;
end
$$;
