/** The keys of changes, by their subject, as far as their features are built. */

export const channelKeys = keys(
  'channel_id type name topic url parent_id position nsfw',
  'content_warning_level content_warning_text rate_limit_per_user user_limit voice_connection_limit bitrate rtc_region',
  'default_auto_archive_duration default_thread_rate_limit_per_user flags',
  'available_tags default_reaction_emoji default_sort_order default_forum_layout',
)
export const overwriteKeys = keys('id type allow deny')
export const banKeys = keys('user_id moderator_id banned_at expires_at reason')
export const roleKeys = keys(
  'role_id name permissions position hoist_position color unicode_emoji hoist mentionable permissions_diff',
)
export const inviteKeys = keys('code channel_id guild_id inviter_id uses max_uses max_age temporary created_at')
export const threadKeys = keys(
  'name type archived locked auto_archive_duration rate_limit_per_user flags invitable applied_tags',
)

function keys(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '))
}
