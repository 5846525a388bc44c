-- Every application that exists. A bot token is known by its hash alone; of the client secret nothing stands here.
create table applications (
  id                      int8        primary key,
  owner_id                int8        not null,
  name                    text        not null,
  redirect_uris           text[]      not null,
  bot_public              boolean     not null,
  bot_require_code_grant  boolean     not null,
  bot_token_hash          text        not null,
  created_at              timestamptz not null
);

create index applications_by_owner on applications (owner_id, id);
create index applications_by_bot_token on applications (bot_token_hash);
