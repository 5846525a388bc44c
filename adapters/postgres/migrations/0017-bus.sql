create schema if not exists bus;

-- How far events are published: one row for each carrier.
create table if not exists bus.publisher_checkpoints (
  carrier text primary key,
  position bigint not null
);
