-- Applied each time the checkpoint is opened, as one query string and so in one transaction: those who open it at the same
-- moment wait here for each other. The advisory lock (1196771664, 1) is the tables' of this schema.
select pg_advisory_xact_lock(1196771664, 1);

create schema if not exists bus;

-- How far events are published: one row for each carrier.
create table if not exists bus.publisher_checkpoints (
  carrier text primary key,
  position bigint not null
);
