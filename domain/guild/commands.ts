import type { AccountId, ChannelId, GuildId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { GuildFeature } from './features.js'
import type { GuildSettings, Role } from './state.js'

export type GuildCommand = CreateGuild | DeleteGuild | ChangeSettings | SetFeatures | CreateRole

export interface CreateGuild {
  readonly type: 'CreateGuild'
  readonly guildId: GuildId
  readonly name: string
  readonly ownerId: AccountId
  readonly features: readonly GuildFeature[]
  /** Ids for the four channels of the default layout, in its order (reference gateway 5.14). */
  readonly channelIds: DefaultChannelIds
  readonly now: Timestamp
}

export interface DefaultChannelIds {
  readonly textCategory: ChannelId
  readonly voiceCategory: ChannelId
  readonly text: ChannelId
  readonly voice: ChannelId
}

export interface DeleteGuild {
  readonly type: 'DeleteGuild'
  readonly by: AccountId
}

/** Writes settings as they are given: whoever sends this has checked them. Nothing happens where none differs. */
export interface ChangeSettings {
  readonly type: 'ChangeSettings'
  readonly settings: Partial<GuildSettings>
}

export interface SetFeatures {
  readonly type: 'SetFeatures'
  readonly features: readonly GuildFeature[]
}

/** Whoever sends this has checked that its permissions may be given. */
export interface CreateRole {
  readonly type: 'CreateRole'
  readonly role: Role
  /** How many roles the guild may have, everyone's included. */
  readonly roles_max: number
}
