-- The stickers of a message; null for none. A list as domain/messages declares it.
alter table messages.messages add column stickers jsonb;
