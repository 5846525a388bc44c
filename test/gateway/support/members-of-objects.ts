/** The members of objects in dispatches, by name, for a recipient that understands threads. */

export const guildObject =
  'afk_channel_id afk_timeout banner banner_height banner_width content_warning_level content_warning_text ' +
  'default_message_notifications disabled_operations embed_splash embed_splash_height embed_splash_width ' +
  'explicit_content_filter features guild_id icon id message_history_cutoff mfa_level name nsfw nsfw_level owner_id ' +
  'rules_channel_id splash splash_card_alignment splash_height splash_width system_channel_flags system_channel_id ' +
  'vanity_url_code verification_level'
export const readyGuild =
  'channels emojis id joined_at member_count members online_count presences properties roles stickers threads voice_states'
export const member =
  'accent_color avatar banner communication_disabled_until deaf guild_id joined_at mute nick roles user'
export const channel =
  'content_warning_level content_warning_text default_auto_archive_duration default_thread_rate_limit_per_user guild_id id ' +
  'last_message_id last_pin_timestamp name nsfw nsfw_override parent_id permission_overwrites position rate_limit_per_user ' +
  'topic type'
export const reaction = 'channel_id emoji guild_id member message_id user_id'
export const message =
  'attachments author channel_id content edited_timestamp embeds flags guild_id id member mention_everyone mention_roles ' +
  'mentions pinned stickers timestamp tts type'
export const thread =
  'flags guild_id id last_message_id last_pin_timestamp member_count message_count name owner_id parent_id ' +
  'rate_limit_per_user thread_metadata total_message_sent type'
export const relationship = 'friend_shares_voice_activity id nickname share_voice_activity since type user'
export const guildSettings =
  'channel_overrides guild_id hide_muted_channels message_notifications mobile_push mute_config muted suppress_everyone ' +
  'suppress_roles unread_badges version'
