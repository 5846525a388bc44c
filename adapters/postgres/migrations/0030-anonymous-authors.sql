-- The accounts that become the authors of the messages of erased accounts. A row goes with the last of the messages, so nothing
-- leads from one account to the other afterwards.
create table messages.anonymous_authors (
  account_id bigint primary key,
  author_id  bigint not null,
  -- How far the replies to the messages have been looked through, by channel and then by id; null before the first.
  channel_id bigint,
  message_id bigint
);
