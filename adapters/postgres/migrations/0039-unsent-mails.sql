-- The list of mails that are not done, the newest first, beside many that are.
create index outbox_unsent on mail.outbox (id) where state <> 'done';
