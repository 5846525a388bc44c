-- What each item of a bulk job came to: an account or a guild. Written with the job's progress, and deleted with the job.
create table background_jobs.outcomes (
  job_id   int8 not null references background_jobs.jobs (job_id) on delete cascade,
  position int4 not null,
  item_id  int8 not null,
  outcome  text not null,
  code     text,
  primary key (job_id, position)
);
