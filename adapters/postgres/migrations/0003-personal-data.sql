-- Kept apart from the events, and out of their backups: when a key is destroyed, history stays and the person's data is gone.
create schema if not exists personal_data;

create table if not exists personal_data.keys (
  account_id bigint primary key,
  -- Encrypted with the key of the instance. Null is a tombstone: the key is destroyed, and no other will be made.
  wrapped_key bytea,
  destroyed_at timestamptz,
  check ((wrapped_key is null) = (destroyed_at is not null))
);
