import type { AccountId, GuildId } from '../ids/ids.ts'
import { hasEnded, msOf, type Timestamp } from '../kernel/timestamp.ts'
import type { Arrangement } from './guild-folders.ts'

export const statuses = ['online', 'dnd', 'idle', 'invisible'] as const
export type Status = (typeof statuses)[number]

export const themes = ['dark', 'dark_legacy', 'coal', 'light', 'system'] as const
export type Theme = (typeof themes)[number]

/** The custom status of an account. */
export interface CustomStatus {
  /** 1-128 characters. */
  readonly text: string | null
  /** Null for no expiry. */
  readonly expiresAt: Timestamp | null
  readonly emojiId: string | null
  /** 1-32 characters. */
  readonly emojiName: string | null
}

/** The settings of an account, except personal ones and its folders. Numbers are those of the wire. */
export interface PlainSettings {
  readonly status: Status
  /** When `status` becomes `statusResetsTo`; null for never. */
  readonly statusResetsAt: Timestamp | null
  readonly statusResetsTo: Status | null
  readonly theme: Theme
  readonly locale: string
  readonly restrictedGuilds: readonly GuildId[]
  readonly botRestrictedGuilds: readonly GuildId[]
  readonly defaultGuildsRestricted: boolean
  readonly botDefaultGuildsRestricted: boolean
  readonly inlineAttachmentMedia: boolean
  readonly inlineEmbedMedia: boolean
  readonly gifAutoPlay: boolean
  readonly renderEmbeds: boolean
  readonly renderReactions: boolean
  readonly animateEmoji: boolean
  readonly animateStickers: number
  readonly renderSpoilers: number
  readonly messageDisplayCompact: boolean
  readonly friendSourceFlags: number
  readonly incomingCallFlags: number
  readonly groupDmAddPermissionFlags: number
  /** In seconds, 60-600. */
  readonly afkTimeout: number
  readonly timeFormat: number
  readonly developerMode: boolean
  readonly trustedDomains: readonly string[]
  readonly defaultHideMutedChannels: boolean
  readonly sensitiveContentFriendDmFilter: number
  readonly sensitiveContentNonFriendDmFilter: number
  readonly sensitiveContentGuildFilter: number
  readonly suppressUnprivilegedSelfMentions: boolean
  readonly suppressUnprivilegedSelfMentionsBypassUserIds: readonly AccountId[]
  readonly staffDmAccessUserIds: readonly AccountId[]
  readonly profilePrivacy: number
}

export type PlainChanges = Partial<PlainSettings>

/** The settings that an account has chosen; absent ones have their initial value. */
export interface ChosenSettings extends PlainChanges {
  readonly guildFolders?: Arrangement
  readonly customStatus?: CustomStatus | null
  /** Base64; empty for none. */
  readonly syncedPreferences?: string
}

/** The bits of the settings that are sets. */
export const friendSources = { MUTUAL_FRIENDS: 1, MUTUAL_GUILDS: 2, NO_RELATION: 4 } as const
export const callers = {
  FRIENDS_OF_FRIENDS: 1,
  GUILD_MEMBERS: 2,
  EVERYONE: 4,
  FRIENDS_ONLY: 8,
  NOBODY: 16,
  SILENT_EVERYONE: 32,
} as const

/** The stored form of chosen friend sources: NO_RELATION is dropped unless both others are set. */
export function keptFriendSources(chosen: number): number {
  const { MUTUAL_FRIENDS, MUTUAL_GUILDS, NO_RELATION } = friendSources
  const mutual = MUTUAL_FRIENDS | MUTUAL_GUILDS
  return (chosen & mutual) === mutual ? chosen : chosen & ~NO_RELATION
}

/** How to show media that may be sensitive. */
export const sensitiveContent = { SHOW: 0, BLUR: 1, BLOCK: 2 } as const

/** Settings for staff only. */
export const staffSettings = [
  'suppressUnprivilegedSelfMentions',
  'suppressUnprivilegedSelfMentionsBypassUserIds',
  'staffDmAccessUserIds',
] as const satisfies readonly (keyof PlainSettings)[]

/** The status at an instant, with its next change; an expired one has been replaced by the next. */
export function statusAt(
  { status = 'online', statusResetsAt = null, statusResetsTo = null }: ChosenSettings,
  now: Timestamp,
): Pick<PlainSettings, 'status' | 'statusResetsAt' | 'statusResetsTo'> {
  if (statusResetsAt === null || msOf(now) < msOf(statusResetsAt)) {
    return { status, statusResetsAt, statusResetsTo }
  }
  return { status: statusResetsTo ?? 'online', statusResetsAt: null, statusResetsTo: null }
}

/** The custom status; null if there is none or it has expired. */
export function customStatusAt({ customStatus = null }: ChosenSettings, now: Timestamp): CustomStatus | null {
  return customStatus === null || hasExpired(customStatus, now) ? null : customStatus
}

export function hasExpired({ expiresAt }: Pick<CustomStatus, 'expiresAt'>, now: Timestamp): boolean {
  return expiresAt !== null && hasEnded(expiresAt, now)
}
