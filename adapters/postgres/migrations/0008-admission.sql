-- Advisory lock (1196771672, hash of a key): the count of that key.
create schema if not exists admission;

-- One row for each act that is admitted or waits. A ticket is drawn and committed under the lock of its key, so the holder of a
-- higher ticket has seen all lower ones of the same key. The rows survive a crash of Postgres (they are logged), because their
-- acts do: those continue in other processes, and in another store.
create table if not exists admission.reservations (
  id         uuid        primary key,
  ticket     bigint      not null generated always as identity,
  key        text        not null check (length(key) <= 200),
  -- After this, the process that made it counts as dead.
  expires_at timestamptz not null
);

create index if not exists reservations_in_turn on admission.reservations (key, ticket);

-- How many reservations are ahead of each given one. A lapsed reservation is ahead of none and gets no answer. The table is
-- mostly empty when plans are made, and may not be later.
create or replace function admission.ahead_of(ids uuid[], keys text[])
returns table (reservation uuid, ahead integer) language plpgsql
  set enable_seqscan = off
as $$
begin
  return query
    select ranked.id, ranked.ahead
    from (
      select r.id, (row_number() over (partition by r.key order by r.ticket) - 1)::integer as ahead
      from admission.reservations r
      where r.key = any (keys) and r.expires_at > clock_timestamp()
    ) ranked
    where ranked.id = any (ids);
end
$$;

-- Makes reservations, and returns how many were ahead of each. Locks are taken in one order, so two calls never deadlock.
create or replace function admission.reserve(ids uuid[], keys text[], life interval)
returns table (reservation uuid, ahead integer) language plpgsql
as $$
begin
  perform pg_advisory_xact_lock(1196771672, locked.hash)
  from (select distinct hashtext(given.key) as hash from unnest(keys) as given (key) order by 1) locked;

  insert into admission.reservations (id, key, expires_at)
  select given.id, given.key, clock_timestamp() + life from unnest(ids, keys) as given (id, key);

  return query select * from admission.ahead_of(ids, keys);
end
$$;

-- Ends reservations. If a crash undoes that, they lapse, so this does not wait for the disk.
create or replace function admission.give_up(ids uuid[])
returns void language plpgsql
as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from admission.reservations where id = any (ids);
end
$$;
