import { z } from 'zod'
import { isAdult } from '../../../domain/account/is-adult.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { snakeCased } from '../../../domain/text/letter-case.ts'
import {
  firstArrangement,
  foldersNow,
  type GuildFolder,
  type Stay,
  folderIcons,
} from '../../../domain/user-settings/guild-folders.ts'
import {
  callers,
  customStatusAt,
  friendSources,
  sensitiveContent,
  statusAt,
  type ChosenSettings,
  type CustomStatus,
  type PlainSettings,
  statuses,
  themes,
} from '../../../domain/user-settings/settings.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

const snowflakes = z.array(snowflakeOutput).readonly()

const nullableText = z.string().nullable()

const guildFolderSchema = z.object({
  id: z.int().nullable().describe('Any number of the client’s choice; -1 holds the guilds without a folder.'),
  name: nullableText,
  color: z.int().nullable().describe('24 bits of RGB; null for none.'),
  flags: z.int().describe('Bit: 1 SHOW_ICON_WHEN_COLLAPSED.'),
  icon: z.enum(folderIcons).describe('The picture of the folder.'),
  guild_ids: snowflakes,
})

const customStatusSchema = z.object({
  text: nullableText.describe('Null for none.'),
  expires_at: timestampOutput.nullable().describe('In the future; null for never.'),
  emoji_id: snowflakeOutput.nullable().describe('The custom emoji; null for a Unicode emoji or none.'),
  emoji_name: nullableText.describe('The Unicode emoji, or the name of the custom one; null if there is none.'),
  emoji_animated: z.boolean().describe('Whether the emoji moves.'),
})

export const userSettingsSchema = wireObject('UserSettings', {
  status: z.enum(statuses),
  status_resets_at: timestampOutput.nullable().describe('When status becomes status_resets_to; null for never.'),
  status_resets_to: z.enum(statuses).nullable().describe('Null keeps the status.'),
  theme: z.enum(themes).describe('How the client looks.'),
  locale: z.string().describe('The language of the client and of mails.'),
  restricted_guilds: snowflakes.describe('Guilds whose members may not begin a direct message.'),
  bot_restricted_guilds: snowflakes.describe('Guilds whose bots may not begin a direct message.'),
  default_guilds_restricted: z
    .boolean()
    .describe('Whether guilds that are joined from now on are in restricted_guilds.'),
  bot_default_guilds_restricted: z
    .boolean()
    .describe('Whether guilds that are joined from now on are in bot_restricted_guilds.'),
  inline_attachment_media: z.boolean().describe('Whether the client shows attached images and videos.'),
  inline_embed_media: z.boolean().describe('Whether the client shows images and videos of links.'),
  gif_auto_play: z.boolean().describe('Whether moving images play by themselves.'),
  render_embeds: z.boolean().describe('Whether the client shows previews of links.'),
  render_reactions: z.boolean().describe('Whether the client shows reactions.'),
  animate_emoji: z.boolean().describe('Whether emoji move.'),
  animate_stickers: z.int().describe('0 always, 1 on interaction, 2 never.'),
  render_spoilers: z.int().describe('0 always, 1 on click, 2 in channels that the account moderates.'),
  message_display_compact: z.boolean().describe('Whether messages are shown without avatars.'),
  friend_source_flags: z
    .int()
    .describe('Who may send friend requests. Bits: 1 MUTUAL_FRIENDS, 2 MUTUAL_GUILDS, 4 NO_RELATION.'),
  incoming_call_flags: z
    .int()
    .describe(
      'Who may call. Bits: 1 FRIENDS_OF_FRIENDS, 2 GUILD_MEMBERS, 4 EVERYONE, 8 FRIENDS_ONLY, 16 NOBODY, 32 SILENT_EVERYONE.',
    ),
  group_dm_add_permission_flags: z
    .int()
    .describe(
      'Who may add the account to groups. Bits: 1 FRIENDS_OF_FRIENDS, 2 GUILD_MEMBERS, 4 EVERYONE, 8 FRIENDS_ONLY, 16 NOBODY.',
    ),
  guild_folders: z.array(guildFolderSchema).readonly().describe('The order of the guilds in the client, by folders.'),
  custom_status: customStatusSchema.nullable().describe('Null for none.'),
  afk_timeout: z.int().describe('Seconds without a sign of life after which the client says so.'),
  time_format: z.int().describe('0 as the language has it, 1 twelve hours, 2 twenty-four hours.'),
  developer_mode: z.boolean().describe('Whether the client offers to copy ids.'),
  trusted_domains: z
    .array(z.string())
    .readonly()
    .describe('Hosts whose links open without a warning; * alone stands for all.'),
  default_hide_muted_channels: z.boolean().describe('Whether guilds that are joined from now on hide muted channels.'),
  sensitive_content_friend_dm_filter: z.int().describe('Sensitive images from friends: 0 show, 1 blur, 2 block.'),
  sensitive_content_non_friend_dm_filter: z
    .int()
    .describe('Sensitive images from others in direct messages: 0 show, 1 blur, 2 block.'),
  sensitive_content_guild_filter: z.int().describe('Sensitive images in guilds: 0 show, 1 blur.'),
  suppress_unprivileged_self_mentions: z
    .boolean()
    .describe('Whether mentions by ordinary accounts do not notify. For staff.'),
  suppress_unprivileged_self_mentions_bypass_user_ids: snowflakes.describe(
    'Accounts whose mentions notify all the same. For staff.',
  ),
  staff_dm_access_user_ids: snowflakes.describe('Accounts that may begin a direct message. For staff.'),
  synced_preferences: z
    .string()
    .describe('What the client keeps for itself: base64 of at most 262144 bytes, empty for nothing.'),
  profile_privacy: z
    .int()
    .describe(
      'Who sees the whole profile: 0 members of common guilds, 1 of common guilds with at most 200 members, 2 friends.',
    ),
  default_share_voice_activity: z.boolean().describe('Whether friends see in which voice channel the account is.'),
})

export type UserSettingsObject = ObjectOf<typeof userSettingsSchema>

/** The owner of the settings, and the data that the object depends on. */
export interface SettingsOwner {
  readonly account: AccountRecord
  readonly chosen: ChosenSettings
  /** The account's guilds, last joined first. */
  readonly stays: readonly Stay[]
}

/** An account's settings: what it has chosen, and initial values for all others. */
export function userSettingsObject({ account, chosen, stays }: SettingsOwner, now: Timestamp): UserSettingsObject {
  const { guildFolders = firstArrangement, customStatus: _, syncedPreferences = '', ...plain } = chosen
  return objectOf(userSettingsSchema, {
    ...snakeCased({ ...initialSettings(account), ...plain, ...statusAt(chosen, now) }),
    guild_folders: foldersNow(guildFolders, stays).map(folderObject),
    custom_status: customStatusObject(customStatusAt(chosen, now)),
    synced_preferences: syncedPreferences,
    default_share_voice_activity: account.sharesVoiceActivity,
  })
}

/**
 * Accounts that were of age when they registered can be befriended by everybody, and see what friends send. Where no
 * source gives an initial value, this uses the least restrictive one.
 */
function initialSettings(account: AccountRecord): PlainSettings {
  const wasAdult = isAdult(account, account.registeredAt)
  const { MUTUAL_FRIENDS, MUTUAL_GUILDS, NO_RELATION } = friendSources
  const { SHOW, BLUR, BLOCK } = sensitiveContent
  return {
    ...initialForEverybody,
    locale: account.locale,
    friendSourceFlags: MUTUAL_FRIENDS | MUTUAL_GUILDS | (wasAdult ? NO_RELATION : 0),
    sensitiveContentFriendDmFilter: wasAdult ? SHOW : BLUR,
    sensitiveContentNonFriendDmFilter: BLOCK,
    sensitiveContentGuildFilter: BLUR,
  }
}

type FollowingFromTheAccount =
  | 'locale'
  | 'friendSourceFlags'
  | 'sensitiveContentFriendDmFilter'
  | 'sensitiveContentNonFriendDmFilter'
  | 'sensitiveContentGuildFilter'

/** From whom an account accepts friend requests: bits of `friendSources`. */
export function friendSourcesOf(account: AccountRecord, chosen: ChosenSettings | undefined): number {
  return chosen?.friendSourceFlags ?? initialSettings(account).friendSourceFlags
}

const initialForEverybody: Omit<PlainSettings, FollowingFromTheAccount> = {
  status: 'online',
  statusResetsAt: null,
  statusResetsTo: null,
  theme: 'system',
  restrictedGuilds: [],
  botRestrictedGuilds: [],
  defaultGuildsRestricted: false,
  botDefaultGuildsRestricted: false,
  inlineAttachmentMedia: true,
  inlineEmbedMedia: true,
  gifAutoPlay: true,
  renderEmbeds: true,
  renderReactions: true,
  animateEmoji: true,
  animateStickers: 0,
  renderSpoilers: 1,
  messageDisplayCompact: false,
  incomingCallFlags: callers.FRIENDS_ONLY,
  groupDmAddPermissionFlags: callers.FRIENDS_ONLY,
  afkTimeout: 600,
  timeFormat: 0,
  developerMode: false,
  trustedDomains: [],
  defaultHideMutedChannels: false,
  suppressUnprivilegedSelfMentions: false,
  suppressUnprivilegedSelfMentionsBypassUserIds: [],
  staffDmAccessUserIds: [],
  profilePrivacy: 0,
}

function folderObject(folder: GuildFolder) {
  return snakeCased(folder)
}

/** There are no custom emojis yet, so none is animated. */
export function customStatusObject(status: CustomStatus | null) {
  return status && { ...snakeCased(status), emoji_animated: false }
}
