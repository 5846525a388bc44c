-- When a message of a channel was last pinned. It stays when that message is unpinned or deleted.
create table messages.last_pins (
  channel_id bigint      primary key,
  pinned_at  timestamptz not null
);
-- The audit log has to tell of pins too: true for a pin, false for the end of one; null for a deletion.
alter table messages.unrecorded_deletions add column pins boolean;
