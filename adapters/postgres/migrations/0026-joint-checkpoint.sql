-- The live read models that one process follows together stand at one position: that is one row, where each batch of events
-- updated a row for each of them (docs/decisions/0135-one-row-for-all-checkpoints.md). `read_models.checkpoints` shows both kinds,
-- and takes writes as the table did that it replaces.
alter table read_models.checkpoints rename to own_checkpoints;

-- Null for a read model that stands at the joint checkpoint.
alter table read_models.own_checkpoints alter column position drop not null;

create table read_models.joint_checkpoint (
  only_row bool primary key default true check (only_row),
  position int8 not null,
  event_id uuid,
  -- Whoever moves it last has gathered the read models under this token. Null once any checkpoint was written otherwise.
  token uuid
) with (fillfactor = 10);

insert into read_models.joint_checkpoint (position) values (-1);

create view read_models.checkpoints as
select schema, name, version,
  coalesce(position, (select j.position from read_models.joint_checkpoint j)) as position,
  case when position is null then (select j.event_id from read_models.joint_checkpoint j) else event_id end as event_id
from read_models.own_checkpoints;

create function read_models.write_checkpoint() returns trigger language plpgsql as $$
begin
  -- The table, the joint checkpoint, the rows: in this order everywhere, which is that in which a lock on the view takes them, so
  -- that nobody waits for somebody who waits for it.
  lock table read_models.own_checkpoints in row exclusive mode;
  update read_models.joint_checkpoint set token = null;
  if tg_op = 'DELETE' then
    delete from read_models.own_checkpoints where schema = old.schema;
  elsif tg_op = 'UPDATE' then
    update read_models.own_checkpoints
    set schema = new.schema, name = new.name, version = new.version, position = new.position, event_id = new.event_id
    where schema = old.schema;
  else
    insert into read_models.own_checkpoints (schema, name, version, position, event_id)
    values (new.schema, new.name, new.version, new.position, new.event_id);
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create trigger write_checkpoint instead of insert or update or delete on read_models.checkpoints
for each row execute function read_models.write_checkpoint();

-- Compares and moves the checkpoints of a group in one call, each by itself. Ends the transaction if they are not as expected: one
-- of `own` does not stand at `before` or has other tables by now, or one of `known` beside them stands there.
create or replace function read_models.move_checkpoints(
  before int8, after int8, event uuid, own text[], tables text[], known text[], versions int4[]
) returns void language plpgsql as $$
declare
  moved int4;
  matching int4;
begin
  lock table read_models.own_checkpoints in row exclusive mode;
  -- Whoever moves the joint checkpoint waits, and looks again.
  update read_models.joint_checkpoint set token = null;
  with standing as (
    select c.schema, c.event_id from read_models.checkpoints c
    where c.position = before and (c.schema, c.version) in (select * from unnest(known, versions))
  ), m as (
    update read_models.own_checkpoints c set position = after, event_id = coalesce(event, s.event_id)
    from standing s where s.schema = c.schema
    returning c.schema, to_regnamespace(quote_ident(c.schema))::oid::text as tables_id
  )
  select count(*), count(*) filter (where (m.schema, m.tables_id) in (select * from unnest(own, tables)))
  into moved, matching from m;
  if moved <> cardinality(own) or matching <> cardinality(own) then
    raise exception 'read models are not at %', before using errcode = 'GH001';
  end if;
end
$$;

-- The same, and makes them one row, which `move_joint_checkpoint` can move with this token. Others that stood there stay.
create function read_models.gather_checkpoints(
  before int8, after int8, event uuid, own text[], tables text[], known text[], versions int4[], new_token uuid
) returns void language plpgsql as $$
begin
  perform read_models.move_checkpoints(before, after, event, own, tables, known, versions);
  update read_models.own_checkpoints c set position = j.position, event_id = j.event_id
  from read_models.joint_checkpoint j where c.position is null;
  update read_models.joint_checkpoint j set position = after, token = new_token, event_id = coalesce(
    event, (select c.event_id from read_models.own_checkpoints c where c.schema = any(own) and c.event_id is not null limit 1));
  update read_models.own_checkpoints set position = null, event_id = null where schema = any(own);
end
$$;

-- Moves the checkpoints that were gathered under a token. Ends the transaction if they do not stand at `before`, or if any
-- checkpoint was written otherwise since.
create function read_models.move_joint_checkpoint(before int8, after int8, event uuid, known_token uuid)
returns void language plpgsql as $$
begin
  update read_models.joint_checkpoint set position = after, event_id = coalesce(event, event_id)
  where position = before and token = known_token;
  if not found then
    raise exception 'read models are not at %', before using errcode = 'GH001';
  end if;
end
$$;
