import type { AccountId, ChannelId, GuildId, InviteCode, RoleId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { PermissionMask } from '../permissions/permission-bits.ts'
import type { Channel } from './channel.ts'
import type { GuildFeature } from './features.ts'

/** The life of a guild: absent, active, or deleted for good. */
export type GuildState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'active' } & Guild)
  | { readonly status: 'deleted'; readonly id: GuildId; readonly ownerId: AccountId }

export interface Guild {
  readonly id: GuildId
  /** 1-100 characters. */
  readonly name: string
  readonly ownerId: AccountId
  /** Each at most once. */
  readonly features: readonly GuildFeature[]
  readonly settings: GuildSettings
  readonly createdAt: Timestamp
  /** The everyone role first; at most 250, or 251 if a template brought 250 of its own. */
  readonly roles: readonly Role[]
  /** At most 500. */
  readonly channels: readonly Channel[]
  /** The claim of its custom code; read models leave it out. */
  readonly vanityClaim?: number
}

/** A custom code and its claim (domain/invite, CustomCodeClaimed). */
export interface CustomCode {
  readonly code: InviteCode
  readonly claim: number
}

export interface Role {
  readonly id: RoleId
  readonly name: string
  readonly permissions: PermissionMask
  /** 0 for the everyone role, others from 1 upward. */
  readonly position: number
  /** 0-16777215. */
  readonly color: number
  readonly hoist: boolean
  /** The position among hoisted roles; null if not set. */
  readonly hoistPosition: number | null
  readonly mentionable: boolean
  readonly unicodeEmoji: string | null
}

/** What Modify guild can change, as numbers of the contract's registries; an image is its hash. */
export interface GuildSettings {
  readonly icon: string | null
  readonly banner: GuildImage | null
  readonly splash: GuildImage | null
  readonly embedSplash: GuildImage | null
  readonly systemChannelId: ChannelId | null
  readonly systemChannelFlags: number
  readonly rulesChannelId: ChannelId | null
  readonly afkChannelId: ChannelId | null
  /** Seconds, 60-3600. */
  readonly afkTimeout: number
  readonly verificationLevel: number
  readonly mfaLevel: number
  readonly nsfw: boolean
  readonly contentWarningLevel: number
  readonly contentWarningText: string | null
  readonly explicitContentFilter: number
  readonly defaultMessageNotifications: number
  readonly disabledOperations: number
  readonly messageHistoryCutoff: Timestamp | null
  readonly vanityCode: InviteCode | null
  readonly splashCardAlignment: number
}

/** An image that is shown with its dimensions. */
export interface GuildImage {
  /** Begins with `a_` if the image is animated. */
  readonly hash: string
  /** Pixels. */
  readonly width: number
  readonly height: number
}

export const initialSettings: GuildSettings = {
  icon: null,
  banner: null,
  splash: null,
  embedSplash: null,
  systemChannelId: null,
  systemChannelFlags: 0,
  rulesChannelId: null,
  afkChannelId: null,
  afkTimeout: 300,
  verificationLevel: 0,
  mfaLevel: 0,
  nsfw: false,
  contentWarningLevel: 0,
  contentWarningText: null,
  explicitContentFilter: 0,
  defaultMessageNotifications: 0,
  disabledOperations: 0,
  messageHistoryCutoff: null,
  vanityCode: null,
  splashCardAlignment: 0,
}

/** The bits of system_channel_flags; writes discard others. */
export const systemChannelFlags = { SUPPRESS_JOIN_NOTIFICATIONS: 1 << 0 } as const

/** The bits of disabled_operations: what administrators turn off in a guild. */
export const disabledOperationBits = {
  PUSH_NOTIFICATIONS: 1 << 0,
  EVERYONE_MENTIONS: 1 << 1,
  TYPING_EVENTS: 1 << 2,
  INSTANT_INVITES: 1 << 3,
  SEND_MESSAGE: 1 << 4,
  REACTIONS: 1 << 5,
  MEMBER_LIST_UPDATES: 1 << 6,
} as const

/** Whether the guild is unavailable now, for everybody or for everybody but staff (rules/guilds#unavailable). */
export function isUnavailable(guild: Pick<Guild, 'features'>, isStaff: boolean): boolean {
  if (guild.features.includes('UNAVAILABLE_FOR_EVERYONE')) return true
  return guild.features.includes('UNAVAILABLE_FOR_EVERYONE_BUT_STAFF') && !isStaff
}
