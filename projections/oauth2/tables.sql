-- What accounts let applications do, and the tokens that live for it. A token is known by its hash alone.
create table authorizations (
  account_id      int8        not null,
  application_id  int8        not null,
  scopes          text[]      not null,
  authorized_at   timestamptz not null,
  -- The account's when it consented: with another one, the authorisation is void.
  delegation_version  int4    not null,
  primary key (account_id, application_id)
);

create index authorizations_by_application on authorizations (application_id);

create table tokens (
  token_hash      text        primary key,
  kind            text        not null,
  account_id      int8        not null,
  application_id  int8        not null,
  family_hash     text,
  -- The session of the account that the token ends with; null for none.
  session_hash    text,
  scopes          text[]      not null,
  issued_at       timestamptz not null,
  expires_at      timestamptz not null,
  delegation_version  int4    not null
);

create index tokens_by_parties on tokens (account_id, application_id);
create index tokens_by_application on tokens (application_id);
create index tokens_by_family on tokens (family_hash);
