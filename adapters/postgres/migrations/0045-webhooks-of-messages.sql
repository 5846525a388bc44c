-- The name and the image that a webhook had for a message: that webhook is the author. Null for a message of an account.
alter table messages.messages add column webhook jsonb;
