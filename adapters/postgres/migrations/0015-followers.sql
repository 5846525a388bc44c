create schema if not exists followers;

-- The progress of followers, which follow all events in one process at a time. Positions belong to one event store.
create table if not exists followers.checkpoints (
  name      text  primary key,
  position  int8  not null
);
