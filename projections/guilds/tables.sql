-- Every guild that exists, with its settings. Its roles and channels are kept as the domain has them, as json and not jsonb:
-- they are read whole, hundreds at a time, and never looked into.
create table guilds (
  id                             int8        primary key,
  name                           text        not null,
  owner_id                       int8        not null,
  features                       text[]      not null,
  created_at                     timestamptz not null,
  icon                           text,
  system_channel_id              int8,
  system_channel_flags           int4        not null,
  rules_channel_id               int8,
  afk_channel_id                 int8,
  afk_timeout                    int4        not null,
  verification_level             int4        not null,
  mfa_level                      int4        not null,
  nsfw                           boolean     not null,
  content_warning_level          int4        not null,
  content_warning_text           text,
  explicit_content_filter        int4        not null,
  default_message_notifications  int4        not null,
  disabled_operations            int4        not null,
  message_history_cutoff         timestamptz,
  vanity_code                    text,
  splash_card_alignment          int4        not null
);

create table roles (
  guild_id  int8   not null,
  id        int8   not null,
  position  int4   not null,
  body      json   not null,
  primary key (guild_id, id)
);

create table channels (
  guild_id  int8   not null,
  id        int8   not null,
  position  int4   not null,
  body      json   not null,
  primary key (guild_id, id)
);

create index channels_by_id on channels (id);
