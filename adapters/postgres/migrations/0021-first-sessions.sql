-- Whether the account's own history does not say yet that it has started a session. It says so in the background, also for
-- accounts that started one before this step.
alter table started_sessions.accounts add column awaits_flag boolean not null default true;
create index accounts_awaiting_flag on started_sessions.accounts (account_id) where awaits_flag;
