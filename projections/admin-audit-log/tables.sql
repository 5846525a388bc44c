-- What the admin audit log shows, without what is personal.
create table entries (
  id           int8        primary key,
  admin_id     int8        not null,
  target_type  text        not null,
  target_id    text        not null,
  action       text        not null,
  reason       text,
  metadata     jsonb       not null,
  created_at   timestamptz not null,
  -- What a search by text looks at, in lower case, one line for each thing: action, target, reason and values of the metadata. Compared
  -- by code point, which is several times as fast as by a language.
  words        text        collate "C" not null
);

create index entries_by_admin on entries (admin_id, id desc);
create index entries_by_target on entries (target_id, target_type, id desc);
create index entries_by_target_type on entries (target_type, id desc);
create index entries_by_action on entries (action, id desc);
create index entries_by_time on entries (created_at);

-- Reasons and metadata about an account. Its erasure removes them.
create table personal_parts (
  id          int8   primary key,
  account_id  int8   not null,
  reason      text,
  metadata    jsonb  not null,
  -- Those of the reason and of the metadata here.
  words       text   collate "C" not null
);

create index personal_parts_by_account on personal_parts (account_id);

-- Finds a text by any part of it. Without the extension there is no index, and a search reads all words. The operator class is named
-- with its schema, because this runs with a search_path of the read model's own schema.
do $$
declare
  place name := (
    select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm');
begin
  if place is not null then
    execute format('create index entries_by_words on entries using gin (words %I.gin_trgm_ops)', place);
    execute format('create index personal_parts_by_words on personal_parts using gin (words %I.gin_trgm_ops)', place);
  end if;
end $$;
