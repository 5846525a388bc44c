-- What the admin audit log shows, without what is personal.
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

-- Reasons and metadata about an account. Its erasure removes them.
create table personal_parts (
  id          int8   primary key,
  account_id  int8   not null,
  reason      text,
  metadata    jsonb  not null
);

create index personal_parts_by_account on personal_parts (account_id);
