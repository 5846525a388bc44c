-- What guilds are searched by. A table of its own, because its rows are read by the thousand, and change only with these columns.
-- All texts are in lower case. Names and codes are sorted by code point, so that an index serves searches by a beginning.
create table guilds (
  id           int8  primary key,
  name         text  collate "C" not null,
  vanity_code  text  collate "C",
  -- Of the application to the directory, whatever its status; the tags one a line.
  description  text,
  tags         text
);

create index guilds_by_name on guilds (name);
create index guilds_by_vanity_code on guilds (vanity_code) where vanity_code is not null;

-- Finds a text by any part of it. Without the extension there is no index, and search is off. The operator class is named with its
-- schema, because this runs with a search_path of the read model's own schema.
do $$
declare
  place name := (
    select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm');
begin
  if place is not null then
    execute format(
      'create index guilds_by_part on guilds using gin (name %1$I.gin_trgm_ops, vanity_code %1$I.gin_trgm_ops, description %1$I.gin_trgm_ops, tags %1$I.gin_trgm_ops)',
      place);
  end if;
end $$;

-- One row: how many rows `guilds` has. Counting them takes too long for a first page.
create table totals (
  id      int4  primary key,
  guilds  int8  not null default 0
);
