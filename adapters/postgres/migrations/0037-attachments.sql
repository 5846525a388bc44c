-- Every file of a message that the store has, or is about to get: its row is there before it, and until after it is gone.
create table messages.attachments (
  id         bigint      primary key,
  channel_id bigint      not null,
  -- Null until a message takes it, and once no message has it any more.
  message_id bigint,
  -- From when on it may be removed; null while a message has it.
  due_at     timestamptz
);

create index attachments_by_message on messages.attachments (channel_id, message_id) where message_id is not null;
create index attachments_due on messages.attachments (due_at) where due_at is not null;

-- The files that a message holds: its own, those that its embeds show, and those of what it forwards.
create function messages.files_of(embeds jsonb, attachments jsonb, snapshots jsonb) returns bigint[]
language sql immutable as $$
  select coalesce(array_agg((id #>> '{}')::bigint), '{}') from (
    select jsonb_path_query(attachments, '$[*].id') as id
    union all select jsonb_path_query(embeds, '$[*].*.attachment.id')
    union all select jsonb_path_query(snapshots, '$[*].attachments[*].id')
    union all select jsonb_path_query(snapshots, '$[*].embeds[*].*.attachment.id')
  ) found
$$;

-- However a message is deleted, its files go with it.
create function messages.leave_files() returns trigger language plpgsql as $$
begin
  update messages.attachments a set message_id = null, due_at = clock_timestamp()
  from gone g where a.channel_id = g.channel_id and a.message_id = g.id;
  return null;
end
$$;

create trigger leave_files after delete on messages.messages
  referencing old table as gone for each statement execute function messages.leave_files();
