-- Anonymous accounts that were made ahead, many at a time: the next erased accounts draw from them.
create table messages.spare_authors (
  account_id bigint primary key
);

-- When the messages and the replies were gone through for the first time; null before.
alter table messages.anonymous_authors add column passed_at timestamptz;
