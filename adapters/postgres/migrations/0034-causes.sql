-- What a mail, a job and an unrecorded deletion belong to: the chain of a request, and the command or event that led to them. Null from
-- a version before.
alter table mail.outbox add column correlation_id text;
alter table mail.outbox add column causation_id text;
-- Which mail it is, and the operation that was asked for: sealed, and kept as long as its key, or until its account is forgotten.
alter table mail.outbox add column sealed_kind bytea;
create index outbox_by_correlation on mail.outbox (correlation_id);

alter table background_jobs.jobs add column correlation_id text;
alter table background_jobs.jobs add column causation_id text;
alter table background_jobs.jobs add column operation text;
create index jobs_by_correlation on background_jobs.jobs (correlation_id);

alter table messages.unrecorded_deletions add column operation text;
