import { isAdult } from '../../../domain/account/is-adult.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { snakeCased } from '../../../domain/text/letter-case.ts'
import {
  firstArrangement,
  foldersNow,
  type GuildFolder,
  type Stay,
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
} from '../../../domain/user-settings/settings.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'

/** The owner of the settings, and the data that the object depends on. */
export interface SettingsOwner {
  readonly account: AccountRecord
  readonly chosen: ChosenSettings
  /** The account's guilds, last joined first. */
  readonly stays: readonly Stay[]
}

export type UserSettingsObject = ReturnType<typeof userSettingsObject>

/** An account's settings: what it has chosen, and initial values for all others. */
export function userSettingsObject({ account, chosen, stays }: SettingsOwner, now: Timestamp) {
  const { guildFolders = firstArrangement, customStatus: _, syncedPreferences = '', ...plain } = chosen
  return {
    ...snakeCased({ ...initialSettings(account), ...plain, ...statusAt(chosen, now) }),
    guild_folders: foldersNow(guildFolders, stays).map(folderObject),
    custom_status: customStatusObject(customStatusAt(chosen, now)),
    synced_preferences: syncedPreferences,
    default_share_voice_activity: account.sharesVoiceActivity,
  }
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
