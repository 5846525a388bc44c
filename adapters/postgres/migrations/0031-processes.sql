create schema processes;

-- The processes that serve this database. A row counts while its process holds the advisory lock of its number, so a dead
-- process leaves the register by itself. Its worker id is the one of ids.worker_leases whose holder it is.
create table processes.register (
  number    integer     primary key generated always as identity,
  id        uuid        not null unique,
  roles     text[]      not null,
  version   text        not null,
  -- Whether it serves alone: then no other process may serve.
  is_alone  boolean     not null,
  since     timestamptz not null default clock_timestamp()
);
