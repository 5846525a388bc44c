import { msOf } from '../../domain/kernel/timestamp.js'
import type { GuildId } from '../../domain/ids/ids.js'
import type { AccountRecord } from '../ports/queries/account-queries.js'

/** The folder that holds every guild that the account put into no other (reference gateway 3.11). */
const uncategorised = -1

/** FRIENDS_OF_FRIENDS and GUILD_MEMBERS; NO_RELATION besides for who was of age when registering. */
const friendSources = { ofAge: 0b111, others: 0b011 } as const
/** FRIENDS_ONLY, of the incoming call and group DM registries. */
const friendsOnly = 8

const adultAge_years = 18

/**
 * The user settings object (reference gateway 3.11): the initial value of every setting, and the account's guilds, the one
 * joined last first. Where the reference has no initial value the least restrictive one stands here.
 */
export function userSettingsObject(account: AccountRecord, guildIds: readonly GuildId[]) {
  return {
    status: 'online',
    status_resets_at: null,
    status_resets_to: null,
    theme: 'system',
    locale: account.locale,
    restricted_guilds: [] as readonly string[],
    bot_restricted_guilds: [] as readonly string[],
    default_guilds_restricted: false,
    bot_default_guilds_restricted: false,
    inline_attachment_media: true,
    inline_embed_media: true,
    gif_auto_play: true,
    render_embeds: true,
    render_reactions: true,
    animate_emoji: true,
    animate_stickers: 0,
    render_spoilers: 1,
    message_display_compact: false,
    friend_source_flags: wasOfAge(account) ? friendSources.ofAge : friendSources.others,
    incoming_call_flags: friendsOnly,
    group_dm_add_permission_flags: friendsOnly,
    guild_folders: guildFolders(guildIds),
    custom_status: null,
    afk_timeout: 600,
    time_format: 0,
    developer_mode: false,
    trusted_domains: [] as readonly string[],
    default_hide_muted_channels: false,
    ...unfiltered,
    suppress_unprivileged_self_mentions: false,
    suppress_unprivileged_self_mentions_bypass_user_ids: [] as readonly string[],
    staff_dm_access_user_ids: [] as readonly string[],
    synced_preferences: '',
    profile_privacy: 0,
    default_share_voice_activity: false,
  }
}

/** SHOW, of the sensitive content registry. */
const unfiltered = {
  sensitive_content_friend_dm_filter: 0,
  sensitive_content_non_friend_dm_filter: 0,
  sensitive_content_guild_filter: 0,
}

export type UserSettingsObject = ReturnType<typeof userSettingsObject>

/** An account without guilds has no folder yet. */
function guildFolders(guildIds: readonly GuildId[]) {
  if (guildIds.length === 0) return []
  return [{ id: uncategorised, name: null, color: null, flags: 0, icon: 'folder', guild_ids: guildIds }]
}

/** Whether the account was an adult's when it was registered, which is when its settings began. */
function wasOfAge({ dateOfBirth, registeredAt }: AccountRecord): boolean {
  if (dateOfBirth === null) return false
  const comesOfAge = new Date(`${dateOfBirth}T00:00:00.000Z`)
  comesOfAge.setUTCFullYear(comesOfAge.getUTCFullYear() + adultAge_years)
  return comesOfAge.getTime() <= msOf(registeredAt)
}
