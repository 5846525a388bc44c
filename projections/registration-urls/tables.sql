-- Every registration URL that was made; revoked, expired and used up ones stay, since operators look back at them.
create table urls (
  id                 int8        primary key,
  code_hash          text        not null,
  label              text,
  created_by         int8,
  created_at         timestamptz not null,
  expires_at         timestamptz,
  max_uses           int4,
  use_count          int4        not null,
  revoked_at         timestamptz,
  approval_required  boolean     not null,
  last_used_at       timestamptz,
  last_used_by       int8
);

create index urls_by_code on urls (code_hash);
create index urls_by_age on urls (created_at);
