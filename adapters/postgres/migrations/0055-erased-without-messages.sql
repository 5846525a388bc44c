-- Erased accounts that have no messages, but may still be named by what others wrote when they were erased: when that was gone through
-- for the first time. The second time comes when no request from then is under way any more.
create table messages.erased_without_messages (
  account_id bigint      primary key,
  passed_at  timestamptz not null default clock_timestamp()
);
