create schema archives;

-- The archives that were asked for, of accounts (user) by their holders or by administrators, of guilds by administrators, and how
-- far each is. The archives themselves are beside the images, in sealed parts. A row goes with the erasure of its account.
create table archives.archives (
  archive_id           int8         primary key,
  subject_type         text         not null,
  subject_id           int8         not null,
  -- holder or admin
  origin               text         not null,
  requested_by         int8         not null,
  includes_attachments bool         not null,
  -- Which messages are wanted; null for all.
  filter               jsonb,
  requested_at         timestamptz  not null,
  started_at           timestamptz,
  completed_at         timestamptz,
  failed_at            timestamptz,
  size_bytes           int8,
  parts_count          int4,
  percent              int2         not null default 0,
  step                 text         not null default 'Queued',
  error_message        text,
  downloadable_until   timestamptz,
  expires_at           timestamptz,
  -- How often a worker has taken it. The parts of each turn have names of their own.
  turn                 int4         not null default 0,
  attempts             int4         not null default 0,
  -- When a worker may take it: for one that is being built, the time at which its worker counts as dead.
  run_at               timestamptz  not null default now(),
  has_files            bool         not null default true
);

create index archives_of_subject on archives.archives (subject_id, archive_id desc);
create index archives_due on archives.archives (run_at) where completed_at is null and failed_at is null;
create index archives_with_files on archives.archives (expires_at) where has_files;
