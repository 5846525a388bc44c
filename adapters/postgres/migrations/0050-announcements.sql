-- The copies of published messages in channels that follow theirs.
create table messages.copies (
  source_id   int8  not null,
  channel_id  int8  not null,
  message_id  int8  not null,
  primary key (source_id, channel_id, message_id)
);

-- Published messages that were changed or deleted, whose copies have not followed yet.
create table messages.changed_sources (
  message_id  int8         primary key,
  channel_id  int8         not null,
  changed_at  timestamptz  not null default clock_timestamp()
);

create function messages.note_changed_source() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.content, old.embeds, old.attachments, old.flags & 4)
    is distinct from (new.content, new.embeds, new.attachments, new.flags & 4)
  then
    insert into messages.changed_sources (message_id, channel_id) values (old.id, old.channel_id)
    on conflict (message_id) do update set changed_at = clock_timestamp();
  end if;
  return null;
end
$$;

-- The flag 1 says that a message is published. Whatever changes or deletes it, its copies are to follow.
create trigger note_changed_source after update or delete on messages.messages
  for each row when ((old.flags & 1) <> 0) execute function messages.note_changed_source();
