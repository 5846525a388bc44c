-- What accounts are searched by. A table of its own, because its rows are read by the thousand, and change only with these columns.
-- An account that is being erased has no row: no search finds it by what it was called.
create table accounts (
  id           int8  primary key,
  -- In lower case, and sorted by code point, so that an index serves searches by a beginning.
  username     text  collate "C" not null,
  global_name  text  collate "C",
  email        text  collate "C"
);

create index accounts_by_username on accounts (username);
create index accounts_by_global_name on accounts (global_name) where global_name is not null;
create index accounts_by_email on accounts (email) where email is not null;

-- Finds a username by any part of it. Without the extension there is no index, and search is off. The operator class is named with
-- its schema, because this runs with a search_path of the read model's own schema.
do $$
declare
  place name := (
    select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm');
begin
  if place is not null then
    execute format('create index accounts_by_part on accounts using gin (username %I.gin_trgm_ops)', place);
  end if;
end $$;

-- One row: how many rows `accounts` has. Counting them takes too long for a first page.
create table totals (
  id        int4  primary key,
  accounts  int8  not null default 0
);
