-- Applied each time it is opened, as one query string and so in one transaction: those who open it at the same moment wait
-- here for each other. The advisory lock (1196771663, 6) is the tables' of this schema.
select pg_advisory_xact_lock(1196771663, 6);

create schema if not exists followers;

-- How far those who follow all events, one process at a time, have come. Positions belong to one event store.
create table if not exists followers.checkpoints (
  name      text  primary key,
  position  int8  not null
);
