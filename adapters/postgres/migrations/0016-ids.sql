create schema if not exists ids;

-- One row for each of the 1024 worker ids of snowflakes, made once. Without a holder: given back. Times are of Postgres' clock.
create table if not exists ids.worker_leases (
  id         integer     primary key check (id between 0 and 1023),
  holder     uuid,
  expires_at timestamptz not null
);

-- The instant of the highest id that any process has made, some moments ago: milliseconds since the Unix epoch.
create table if not exists ids.highest (
  only_row boolean primary key default true check (only_row),
  ms       bigint  not null
);

insert into ids.worker_leases (id, expires_at)
select id, '-infinity' from generate_series(0, 1023) as id
on conflict do nothing;
