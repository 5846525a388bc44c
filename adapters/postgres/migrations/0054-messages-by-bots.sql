-- Whether a bot wrote the message. Null for others, and for messages of versions before this one.
alter table messages.messages add column by_bot boolean;
