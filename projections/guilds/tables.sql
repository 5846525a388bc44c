-- Every guild that exists, with its settings, its roles and its channels. Overwrites of roles that are gone may stand in
-- channels: they are left out in reading, so that a deleted role costs one row and not every channel.
create table guilds (
  id                             int8        primary key,
  name                           text        not null,
  owner_id                       int8        not null,
  features                       text[]      not null,
  created_at                     timestamptz not null,
  icon                           text,
  banner                         jsonb,
  splash                         jsonb,
  embed_splash                   jsonb,
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
  guild_id        int8     not null,
  id              int8     not null,
  name            text     not null,
  permissions     text     not null,
  position        int4     not null,
  color           int4     not null,
  hoist           boolean  not null,
  hoist_position  int4,
  mentionable     boolean  not null,
  unicode_emoji   text,
  primary key (guild_id, id)
);

create table channels (
  guild_id               int8     not null,
  id                     int8     not null,
  type                   int4     not null,
  name                   text     not null,
  position               int4     not null,
  parent_id              int8,
  overwrites             json     not null,
  topic                  text,
  url                    text,
  nsfw                   boolean  not null,
  nsfw_override          boolean,
  content_warning_level  int4     not null,
  content_warning_text   text,
  rate_limit_per_user    int4     not null,
  voice                  json,
  threads                json,
  forum                  json,
  primary key (guild_id, id)
);

create index channels_by_id on channels (id);
