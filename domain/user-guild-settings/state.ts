import type { ChannelId, GuildId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** What an account wants to hear of one guild, or of its private channels (reference identity 9.6). */
export interface UserGuildSettings {
  readonly messageNotifications: number
  readonly muted: boolean
  readonly muteConfig: MuteConfig | null
  readonly mobilePush: boolean
  readonly suppressEveryone: boolean
  readonly suppressRoles: boolean
  readonly hideMutedChannels: boolean
  /** Null for none. */
  readonly channelOverrides: readonly ChannelOverride[] | null
  /** A notification level; null for the one of messages. */
  readonly unreadBadges: number | null
}

export interface MuteConfig {
  /** Null for a mute without an end. */
  readonly endTime: Timestamp | null
  readonly selectedTimeWindow: number
}

export interface ChannelOverride {
  readonly channelId: ChannelId
  readonly collapsed: boolean
  readonly messageNotifications: number
  readonly muted: boolean
  readonly muteConfig: MuteConfig | null
  readonly unreadBadges: number | null
}

export const notificationLevels = { ALL_MESSAGES: 0, ONLY_MENTIONS: 1, NO_MESSAGES: 2, INHERIT: 3 } as const

/** What holds until an account chooses otherwise. */
export const initialGuildSettings: UserGuildSettings = {
  messageNotifications: notificationLevels.INHERIT,
  muted: false,
  muteConfig: null,
  mobilePush: true,
  suppressEveryone: false,
  suppressRoles: false,
  hideMutedChannels: false,
  channelOverrides: null,
  unreadBadges: null,
}

export interface UserGuildSettingsState {
  readonly status: 'untouched' | 'changed'
  readonly settings: UserGuildSettings
  /** How often they were changed. */
  readonly version: number
}

/** Names the settings of an account for a guild, or for its private channels: the id of their stream. */
export function userGuildSettingsId(account: string, guild: GuildId | null): string {
  return `${account}-${guild ?? '0'}`
}
