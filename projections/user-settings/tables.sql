-- What each account has chosen; null where it has chosen nothing, or nothing else than what it began with. Each setting stands
-- in the column of its name. Instants stand as they were sent: nothing is asked by them.
create table user_settings (
  account_id                       int8  primary key,
  status                           text,
  status_resets_at                 text,
  status_resets_to                 text,
  theme                            text,
  locale                           text,
  restricted_guilds                jsonb,
  bot_restricted_guilds            jsonb,
  default_guilds_restricted        boolean,
  bot_default_guilds_restricted    boolean,
  inline_attachment_media          boolean,
  inline_embed_media               boolean,
  gif_auto_play                    boolean,
  render_embeds                    boolean,
  render_reactions                 boolean,
  animate_emoji                    boolean,
  animate_stickers                 int4,
  render_spoilers                  int4,
  message_display_compact          boolean,
  friend_source_flags              int4,
  incoming_call_flags              int4,
  group_dm_add_permission_flags    int4,
  afk_timeout                      int4,
  time_format                      int4,
  developer_mode                   boolean,
  trusted_domains                  jsonb,
  default_hide_muted_channels      boolean,
  sensitive_content_friend_dm_filter      int4,
  sensitive_content_non_friend_dm_filter  int4,
  sensitive_content_guild_filter          int4,
  suppress_unprivileged_self_mentions     boolean,
  suppress_unprivileged_self_mentions_bypass_user_ids  jsonb,
  staff_dm_access_user_ids         jsonb,
  profile_privacy                  int4,
  -- The folders as they were arranged, and the stays in guilds of that time.
  guild_folders                    jsonb,
  custom_status                    jsonb,
  synced_preferences               text
);

-- What each account wants to hear of a guild, likewise; of its private channels where the guild is 0.
create table user_guild_settings (
  account_id             int8  not null,
  guild_id               int8  not null,
  -- How often they were changed.
  version                int4  not null default 0,
  message_notifications  int4,
  muted                  boolean,
  mute_config            jsonb,
  mobile_push            boolean,
  suppress_everyone      boolean,
  suppress_roles         boolean,
  hide_muted_channels    boolean,
  channel_overrides      jsonb,
  unread_badges          int4,
  primary key (account_id, guild_id)
);

create index user_guild_settings_by_guild on user_guild_settings (guild_id);
