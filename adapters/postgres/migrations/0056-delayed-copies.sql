-- What failed is tried again later, and at last given up.
alter table messages.publications
  add column tries   int2         not null default 0,
  add column due_at  timestamptz  not null default clock_timestamp();
alter table messages.changed_sources
  add column tries   int2         not null default 0,
  add column due_at  timestamptz  not null default clock_timestamp();

-- A later change is tried at once.
create or replace function messages.note_changed_source() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.content, old.embeds, old.attachments, old.flags & 4)
    is distinct from (new.content, new.embeds, new.attachments, new.flags & 4)
  then
    insert into messages.changed_sources (message_id, channel_id) values (old.id, old.channel_id)
    on conflict (message_id) do update
      set changed_at = clock_timestamp(), tries = 0, due_at = clock_timestamp();
  end if;
  return null;
end
$$;
