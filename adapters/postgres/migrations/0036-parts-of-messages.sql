-- What a message has beside its text; null for none. Each is a list as domain/messages declares it.
alter table messages.messages add column embeds jsonb;
alter table messages.messages add column attachments jsonb;
-- What a forward shows of its source.
alter table messages.messages add column snapshots jsonb;
-- When it was pinned; null if it is not.
alter table messages.messages add column pinned_at timestamptz;
create index messages_pinned on messages.messages (channel_id, pinned_at desc, id desc) where pinned_at is not null;
