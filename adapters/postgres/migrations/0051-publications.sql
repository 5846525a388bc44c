-- Messages that were published and not yet copied into the channels that follow. When a message was published, its copies follow from:
-- a delivery that is repeated makes the same ones.
create table messages.publications (
  message_id    int8         primary key,
  channel_id    int8         not null,
  published_at  timestamptz  not null default clock_timestamp()
);

create function messages.note_publication() returns trigger language plpgsql as $$
begin
  insert into messages.publications (message_id, channel_id) values (new.id, new.channel_id) on conflict do nothing;
  return null;
end
$$;

-- With the flag 1, so that no message is published whose copies are forgotten.
create trigger note_publication after update on messages.messages
  for each row when ((old.flags & 1) = 0 and (new.flags & 1) <> 0) execute function messages.note_publication();

-- What an administrator removed goes with its copies: no notice stands in their place.
alter table messages.changed_sources add column removed boolean not null default false;
