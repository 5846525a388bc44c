-- Every account that registered. Passwords, and the secrets of second factors, stay in the events: of them this table knows
-- only whether there is one.
create table accounts (
  id                   int8        primary key,
  username             text        not null,
  discriminator        int4        not null,
  email                text,
  email_verified       boolean     not null,
  has_password         boolean     not null,
  password_changed_at  timestamptz,
  date_of_birth        text,
  locale               text        not null,
  -- 64 bits, the highest one as the sign. The bits with columns of their own are 0 here.
  flags                int8        not null default 0,
  is_disabled          boolean     not null default false,
  is_self_deleted      boolean     not null default false,
  is_deleted           boolean     not null default false,
  has_session_started  boolean     not null default false,
  -- 32 bits, without those of the badge.
  premium_flags        int8        not null default 0,
  -- What was paid and given; null for nothing ever.
  premium              jsonb,
  -- When that is over, grace included; null for none, and for premium without an end.
  premium_over_at      timestamptz,
  -- A keyed hash of the token that its purchases carry in the stores.
  store_token_hash     text,
  traits               text[]      not null default '{}',
  bot                  boolean     not null default false,
  system               boolean     not null default false,
  -- Whose application it is the bot of.
  bot_owner_id         int8,
  acls                 text[]      not null default '{}',
  registered_at        timestamptz not null,
  -- Whether an operator has let it in: admitted, pending or rejected.
  admission            text        not null default 'admitted',
  registration_url_id  int8,
  -- Only while it is pending.
  registered_from      text,
  terms_accepted_at    timestamptz,
  banned_until         timestamptz,
  deletion_due_at      timestamptz,
  deletion_reason_code      int4,
  deletion_public_reason    text,
  deletion_audit_log_reason text,
  -- Null if the holder scheduled it.
  deletion_scheduled_by     int8,
  deletion_scheduled_at     timestamptz,
  -- The deletion of all own messages.
  message_deletion_due_at   timestamptz,
  message_deletion_channels int4,
  message_deletion_messages int4,
  totp                 boolean     not null default false,
  uses_passkeys        boolean     not null default false,
  single_sign_on       boolean     not null default false,
  email_bounced        boolean     not null default false,
  shares_voice_activity    boolean     not null default false,
  voice_activity_chosen_at timestamptz,
  is_erased            boolean     not null default false,
  -- How often its delegations have ended.
  delegation_version   int4        not null default 0,

  global_name                      text,
  avatar                           text,
  banner                           text,
  avatar_color                     int4,
  banner_color                     int4,
  bio                              text,
  pronouns                         text,
  accent_color                     int4,
  mention_flags                    int4    not null default 0,
  premium_badge_hidden             boolean not null default false,
  premium_badge_masked             boolean not null default false,
  premium_badge_timestamp_hidden   boolean not null default false,
  premium_badge_sequence_hidden    boolean not null default false,
  has_dismissed_premium_onboarding boolean not null default false
);

create index accounts_by_tag on accounts (lower(username), discriminator);
create index accounts_pending on accounts (registered_at) where admission = 'pending';
create index accounts_by_premium on accounts (premium_over_at) where premium_over_at is not null;
create index accounts_by_store_token on accounts (store_token_hash) where store_token_hash is not null;
create index accounts_by_deletion on accounts (deletion_due_at) where deletion_due_at is not null;
create index accounts_by_message_deletion on accounts (message_deletion_due_at) where message_deletion_due_at is not null;

-- Live sessions. A token is known by its hash alone.
create table sessions (
  token_hash  text        primary key,
  account_id  int8        not null,
  started_at  timestamptz not null,
  ip          text,
  user_agent  text
);

create index sessions_by_account on sessions (account_id);

-- How sessions began and ended: of each account those that live, and the 1000 that ended last. It is a table of its own, so that
-- nothing that lets a session in can take one that has ended for a live one.
create table session_log (
  token_hash  text        primary key,
  account_id  int8        not null,
  started_at  timestamptz not null,
  ip          text,
  user_agent  text,
  -- Null while it lives.
  ended_at    timestamptz
);

create index session_log_by_account on session_log (account_id);

-- Where the newest session of each account began, whether or not it has ended: what a guild's ban goes by.
create table last_addresses (
  account_id  int8  primary key,
  ip          text  not null
);

create index last_addresses_by_ip on last_addresses (ip, account_id);

-- Passkeys, without what they are verified by.
create table webauthn_credentials (
  account_id     int8        not null,
  credential_id  text        not null,
  name           text        not null,
  registered_at  timestamptz not null,
  last_used_at   timestamptz,
  primary key (account_id, credential_id)
);

create index webauthn_credentials_by_id on webauthn_credentials (credential_id);
