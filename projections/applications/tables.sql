-- Every application that exists. A bot token is known by its hash alone; of the client secret only its age stands here.
create table applications (
  id                        int8        primary key,
  owner_id                  int8        not null,
  name                      text        not null,
  redirect_uris             text[]      not null,
  bot_public                boolean     not null,
  bot_require_code_grant    boolean     not null,
  bot_token_hash            text        not null,
  -- The owner's when the bot got its token: with another one, the token is void.
  delegation_version        int4        not null,
  created_at                timestamptz not null,
  bot_token_created_at      timestamptz not null,
  client_secret_created_at  timestamptz not null,
  -- How many events it has.
  version                   int4        not null
);

create index applications_by_owner on applications (owner_id, id);
create index applications_by_bot_token on applications (bot_token_hash);
