create schema if not exists followers;

-- How far those who follow all events, one process at a time, have come. Positions belong to one event store.
create table if not exists followers.checkpoints (
  name      text  primary key,
  position  int8  not null
);
