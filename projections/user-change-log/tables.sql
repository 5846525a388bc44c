-- The tags and addresses that accounts have had, with the first ones. An entry of the change log is a value and the one before it.
create table field_values (
  account_id     int8        not null,
  -- The position of its event.
  position       int8        not null,
  -- email or fluxer_tag.
  field          text        not null,
  -- Null for no address.
  value          text,
  -- Whether the account was registered with it, which is no change.
  is_first       boolean     not null,
  -- user_requested, admin_action, or null if neither the holder nor an administrator changed it.
  reason         text,
  -- The administrator; null for anybody else.
  actor_user_id  int8,
  changed_at     timestamptz not null,
  primary key (account_id, position, field)
);
