import type { ChannelId, GuildId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

/** An account's notification settings for one guild, or for its private channels. */
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
  /** A notification level; null to use that of messages. */
  readonly unreadBadges: number | null
}

export interface MuteConfig {
  /** Null for a mute that never ends. */
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

/** The initial settings. */
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
  /** How often the settings were changed. */
  readonly version: number
}

/** The id of the stream of an account's settings for a guild, or for its private channels. */
export function userGuildSettingsId(account: string, guild: GuildId | null): string {
  return `${account}-${guild ?? '0'}`
}
