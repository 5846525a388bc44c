-- Every direct message and every group that is not gone.
create table channels (
  id          int8   primary key,
  kind        text   not null,
  -- Everybody who takes part: of a direct message the two, of a group in the order in which they came.
  recipients  int8[] not null,
  -- Of a group alone.
  owner_id    int8,
  icon        text,
  -- The two of a direct message as `pairId` has them; null for a group.
  pair        text
);

create index channels_by_pair on channels (pair);
-- The direct messages of an account, closed ones too.
create index direct_channels_by_first on channels ((recipients[1]), id) where kind = 'direct';
create index direct_channels_by_second on channels ((recipients[2]), id) where kind = 'direct';

-- Who has a channel among those that are open for it.
create table places (
  account_id  int8 not null,
  channel_id  int8 not null,
  kind        text not null,
  primary key (account_id, channel_id)
);

create index places_by_channel on places (channel_id);

-- What groups are called, and by whom; a name goes with the account that chose it.
create table names (
  channel_id  int8 primary key,
  named_by    int8 not null,
  name        text not null
);

create index names_by_account on names (named_by);

-- What recipients are called in a group.
create table nicks (
  channel_id  int8 not null,
  account_id  int8 not null,
  nick        text not null,
  primary key (channel_id, account_id)
);

create index nicks_by_account on nicks (account_id);
