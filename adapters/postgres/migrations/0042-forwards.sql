-- Finds what others forwarded of an account's messages, when it is erased.
create index messages_forwarded on messages.messages ((snapshots -> 0 ->> 'authorId')) where snapshots is not null;
