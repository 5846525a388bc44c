-- Every ban that was not lifted. Those that have ended stay until they are lifted or made anew; queries leave them out.
create table bans (
  guild_id      int8         not null,
  account_id    int8         not null,
  moderator_id  int8         not null,
  banned_at     timestamptz  not null,
  expires_at    timestamptz,
  -- Of the event that made it: what came before a join, and what after.
  position      int8         not null,
  primary key (guild_id, account_id)
);

-- What is personal of a ban: it goes with the account's erasure, while the ban stays.
create table ban_persons (
  guild_id    int8  not null,
  account_id  int8  not null,
  reason      text,
  -- In lower case.
  email       text,
  ip          text,
  -- That of one client: an IPv4 address, or the /64 of an IPv6 address.
  network     text,
  primary key (guild_id, account_id)
);

create index ban_persons_by_email on ban_persons (guild_id, email);
create index ban_persons_by_network on ban_persons (guild_id, network);
create index ban_persons_by_account on ban_persons (account_id);
