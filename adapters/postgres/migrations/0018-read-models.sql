-- The projection runner's own tables about read models (projections/runner). The tables of read models are not here: the runner
-- makes them from each tables.sql.
create schema if not exists read_models;

-- How far the tables in one schema have come.
create table if not exists read_models.checkpoints (
  schema text primary key,
  name text not null,
  version int4 not null,
  position int8 not null,
  -- The event at the position; null if nothing was projected since this column was added.
  event_id uuid
) with (fillfactor = 50);

do $$ begin
  -- Altering waits for every process that moves checkpoints, so it runs only if needed.
  if not exists (select from pg_attribute where attrelid = 'read_models.checkpoints'::regclass and attname = 'event_id') then
    alter table read_models.checkpoints add column event_id uuid;
  end if;
end $$;

-- Compares and moves the checkpoints of a group in one call. Ends the transaction if they are not as expected: one of `own`
-- does not stand at `before` or has other tables by now, or one of `known` beside them stands there.
create or replace function read_models.move_checkpoints(
  before int8, after int8, event uuid, own text[], tables text[], known text[], versions int4[]
) returns void language plpgsql as $$
declare
  moved int4;
  matching int4;
begin
  with m as (
    update read_models.checkpoints c set position = after, event_id = coalesce(event, c.event_id)
    where c.position = before and (c.schema, c.version) in (select * from unnest(known, versions))
    returning c.schema, to_regnamespace(quote_ident(c.schema))::oid::text as tables_id
  )
  select count(*), count(*) filter (where (m.schema, m.tables_id) in (select * from unnest(own, tables)))
  into moved, matching from m;
  if moved <> cardinality(own) or matching <> cardinality(own) then
    raise exception 'read models are not at %', before using errcode = 'GH001';
  end if;
end
$$;

-- The first event of the store that the read models were made from, and its position. Together they identify that store, and
-- tell it apart from one that its history was moved to.
create table if not exists read_models.origin (
  event_id uuid not null,
  position int8 not null
);

-- The streams that a read model takes no events of any more (docs/decisions/0011-poison-events.md).
create table if not exists read_models.parked (
  schema text not null,
  stream text not null,
  position int8 not null,
  event_id uuid not null,
  type text not null,
  cause text not null,
  reason text not null,
  primary key (schema, stream)
);

-- A row says that the read models hold all that they held before the last crash of Postgres, which empties an unlogged table
-- (docs/decisions/0062-read-models-commit-without-the-disk.md). Before the table exists, nothing can have been lost.
do $$ begin
  if to_regclass('read_models.whole') is null then
    create unlogged table read_models.whole (since timestamptz not null);
    insert into read_models.whole values (now());
  end if;
end $$;
