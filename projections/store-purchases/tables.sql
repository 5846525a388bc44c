-- What says when a purchase is read from its store again. No secret of it is here, only keyed hashes.
create table purchases (
  -- The id of its stream.
  purchase      text         primary key,
  provider      text         not null,
  environment   text         not null default '',
  is_gift       boolean      not null default false,
  -- As the store last said.
  state         text         not null default 'pending',
  acknowledged  boolean      not null default false,
  expires_at    timestamptz,
  -- Null until the first reading.
  read_at       timestamptz,
  has_owner     boolean      not null default false,
  has_code      boolean      not null default false,
  fulfilled     boolean      not null default false,
  superseded    boolean      not null default false,
  sent_back     boolean      not null default false,
  latest_order  text,
  voided_order  text
);

create index purchases_open on purchases (read_at)
  where read_at is not null and not superseded and not sent_back and state not in ('expired', 'revoked', 'refunded');
