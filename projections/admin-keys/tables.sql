-- Admin keys of accounts that are somebody's, that were not deleted, the expired ones among them. A key is known by its hash alone.
create table keys (
  id                  int8         primary key,
  account_id          int8         not null,
  name                text         not null,
  key_hash            text         not null,
  acls                text[]       not null,
  created_at          timestamptz  not null,
  expires_at          timestamptz,
  delegation_version  int4         not null
);

create index keys_by_account on keys (account_id);
