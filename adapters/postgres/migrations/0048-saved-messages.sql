-- The messages that accounts have saved for themselves.
create table messages.saved_messages (
  account_id bigint not null,
  message_id bigint not null,
  channel_id bigint not null,
  primary key (account_id, message_id)
);

create index saved_messages_by_message on messages.saved_messages (channel_id, message_id);

create function messages.drop_saved_with_messages() returns trigger language plpgsql as $$
begin
  delete from messages.saved_messages s using gone g where s.channel_id = g.channel_id and s.message_id = g.id;
  return null;
end
$$;

create trigger drop_saved after delete on messages.messages referencing old table as gone
  for each statement execute function messages.drop_saved_with_messages();
