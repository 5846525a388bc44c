create schema if not exists background_jobs;

-- The jobs that administrators requested, and their progress. `work` is the job's input; it is deleted when the job ends.
create table if not exists background_jobs.jobs (
  job_id            int8         primary key,
  task              text         not null,
  status            text         not null,
  payload           jsonb        not null,
  work              jsonb,
  done              int4         not null default 0,
  total             int4         not null,
  error_message     text,
  requested_by      int8         not null,
  reason            text,
  command_id        text         not null,
  attempts          int4         not null default 0,
  cancel_requested  bool         not null default false,
  created_at        timestamptz  not null,
  run_at            timestamptz  not null default now(),
  started_at        timestamptz,
  completed_at      timestamptz
);

create index if not exists jobs_by_age on background_jobs.jobs (created_at desc, job_id desc);
create index if not exists jobs_at_hand on background_jobs.jobs (run_at) where status in ('queued', 'running');
