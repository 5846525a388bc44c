-- The jobs themselves are in the schema job_queue, which graphile-worker makes.
create schema if not exists job_workers;

-- The workers, by the name that marks the jobs they have taken. A worker that was not seen for a while is dead.
create table if not exists job_workers.workers (
  name     text        primary key,
  seen_at  timestamptz not null
);

-- Tasks that one worker at a time does now and then, and when a worker last took the turn.
create table if not exists job_workers.turns (
  name      text        primary key,
  taken_at  timestamptz not null
);
