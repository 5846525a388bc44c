-- Trigram indexes, by which a part of a name is found. The extension is trusted: whoever may make schemas may make it. Where it
-- cannot be made, the rest works without it (docs/decisions/0076-finding-accounts.md). An operator may make it later, or have made
-- it in another schema.
do $$ begin
  if not exists (select from pg_catalog.pg_extension where extname = 'pg_trgm') then
    create schema trigrams;
    create extension pg_trgm with schema trigrams;
  end if;
exception
  when lock_not_available or deadlock_detected then raise;
  when others then raise warning 'pg_trgm could not be made: %', sqlerrm;
end $$;
