-- What says when a purchase is read from its store again, and what administrators list. No secret of it is here, only keyed hashes.
create table purchases (
  -- The id of its stream.
  purchase      text         primary key,
  id            bigint       not null,
  provider      text         not null,
  environment   text         not null default '',
  product_id    text         not null default '',
  is_gift       boolean      not null default false,
  quantity      integer      not null default 1,
  -- As the store last said.
  state         text         not null default 'pending',
  acknowledged  boolean      not null default false,
  started_at    timestamptz,
  purchased_at  timestamptz,
  expires_at    timestamptz,
  revoked_at    timestamptz,
  seen_at       timestamptz  not null,
  -- Null until the first reading.
  read_at       timestamptz,
  -- Whose it is; null for nobody's.
  account_id    bigint,
  has_code      boolean      not null default false,
  fulfilled     boolean      not null default false,
  superseded    boolean      not null default false,
  sent_back_at  timestamptz,
  latest_order  text,
  voided_order  text,
  voided_at     timestamptz
);

create index purchases_open on purchases (read_at)
  where read_at is not null and not superseded and sent_back_at is null and state not in ('expired', 'revoked', 'refunded');

create index purchases_newest on purchases (seen_at, id);
create index purchases_of_account on purchases (account_id, seen_at, id);
create index purchases_of_store on purchases (provider, seen_at, id);
-- The state that is shown: the same expression stands in the query.
create index purchases_in_state on purchases ((case
  when read_at is null then 'pending'
  when superseded then 'superseded'
  when voided_order is not null and (is_gift or voided_order = latest_order) or sent_back_at is not null
    then case when is_gift then 'refunded' else 'revoked' end
  when is_gift and state = 'purchased' and has_code and quantity <= 1 then 'fulfilled'
  else state end), seen_at, id);
