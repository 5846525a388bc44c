-- Applied each time reservations are opened, as one query string and so in one transaction: those who open one at the same moment
-- wait here for each other. Advisory locks: (1196771671, 1) the tables', (1196771672, hash of a key) what is counted.
select pg_advisory_xact_lock(1196771671, 1);

create schema if not exists admission;

-- One row for each act that is let in or waits to be. Under the lock of its key a ticket is drawn and committed, so whoever
-- has a higher ticket of the same key has seen all lower ones. The rows outlive a crash of Postgres (they are logged), since
-- the acts that they stand for do: those go on in other processes, and in another store.
create table if not exists admission.reservations (
  id         uuid        primary key,
  ticket     bigint      not null generated always as identity,
  key        text        not null check (length(key) <= 200),
  -- By then the process that made it is taken for dead.
  expires_at timestamptz not null
);

create index if not exists reservations_in_turn on admission.reservations (key, ticket);

-- How many reservations stand before each of the given ones. One that has lapsed stands before none and is not answered.
-- The table is mostly empty when plans are made, and may not be later.
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

-- Makes reservations, and says how many stood before each. Locks are taken in one order, so two calls never wait for each
-- other both.
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

-- Ends reservations. Where a crash undoes it they lapse, so no disk is waited for.
create or replace function admission.give_up(ids uuid[])
returns void language plpgsql
as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from admission.reservations where id = any (ids);
end
$$;
