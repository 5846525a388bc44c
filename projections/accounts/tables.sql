-- Every account that registered. Passwords stay in the events: of them this table knows only whether there is one.
create table accounts (
  id              int8        primary key,
  username        text        not null,
  discriminator   int4        not null,
  global_name     text,
  email           text,
  email_verified  boolean     not null,
  has_password    boolean     not null,
  date_of_birth   text,
  locale          text        not null,
  flags           int8        not null default 0,
  bot             boolean     not null default false,
  acls            text[]      not null default '{}',
  registered_at   timestamptz not null
);

create index accounts_by_tag on accounts (lower(username), discriminator);

-- Live sessions. A token is known by its hash alone.
create table sessions (
  token_hash  text        primary key,
  account_id  int8        not null,
  started_at  timestamptz not null
);

create index sessions_by_account on sessions (account_id);
