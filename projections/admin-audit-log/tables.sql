-- What the admin audit log shows.
create table entries (
  id           int8        primary key,
  admin_id     int8        not null,
  target_type  text        not null,
  target_id    text        not null,
  action       text        not null,
  reason       text,
  metadata     jsonb       not null,
  created_at   timestamptz not null
);

create index entries_by_admin on entries (admin_id, id desc);
create index entries_by_target on entries (target_id, target_type, id desc);
create index entries_by_target_type on entries (target_type, id desc);
