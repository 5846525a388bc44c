import type { AccountId, GuildId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { ChannelCommand } from './channel-commands.ts'
import type { GuildFeature } from './features.ts'
import type { GuildLayout } from './layout.ts'
import type { GuildChanges } from './modify.ts'
import type { GuildActor } from '../permissions/authority.ts'
import type { RewindGuild } from './rewind.ts'
import type { RoleCommand } from './role-commands.ts'
import type { CustomCode, GuildSettings } from './state.ts'

export type GuildCommand =
  | CreateGuild
  | DeleteGuild
  | TransferOwnership
  | ModifyGuild
  | ChangeSettings
  | SetFeatures
  | VanityCommand
  | RewindGuild
  | RoleCommand
  | ChannelCommand

export interface CreateGuild {
  readonly type: 'CreateGuild'
  readonly guildId: GuildId
  readonly name: string
  readonly ownerId: AccountId
  readonly features: readonly GuildFeature[]
  readonly layout: GuildLayout
  readonly now: Timestamp
}

/** The instance itself, by an administrator. It needs no permission in a guild, and is not bound by what protects members from each other. */
export type Instance = 'instance'

export interface DeleteGuild {
  readonly type: 'DeleteGuild'
  readonly by: AccountId | Instance
}

/** The sender has made sure that the new owner is a member and not a bot, and stays a member until this is decided. */
export interface TransferOwnership {
  readonly type: 'TransferOwnership'
  readonly by: AccountId | Instance
  readonly to: AccountId
}

/** Writes the given members of a guild. */
export interface ModifyGuild {
  readonly type: 'ModifyGuild'
  readonly by: GuildActor | Instance
  readonly changes: GuildChanges
  /** Whether the sent banner is animated, even if it is stored as a still image. */
  readonly bannerMoves: boolean
  readonly now: Timestamp
}

export type VanityCommand = SetVanityCode | AdoptVanityClaim

/** Sets the custom invite URL. The code is claimed already; null removes the code. */
export interface SetVanityCode {
  readonly type: 'SetVanityCode'
  readonly by: GuildActor | Instance
  readonly custom: CustomCode | null
}

/** Replaces the guild's claim of its code by a newer one, if the guild has that code. */
export interface AdoptVanityClaim {
  readonly type: 'AdoptVanityClaim'
  readonly custom: CustomCode
}

/** Writes settings that the sender has checked. Does nothing if none differs. */
export interface ChangeSettings {
  readonly type: 'ChangeSettings'
  readonly settings: Partial<GuildSettings>
}

/**
 * Replaces the whole set of features; or adds and removes some, whatever the others are, so that a change at the same moment is
 * not lost.
 */
export type SetFeatures =
  | { readonly type: 'SetFeatures'; readonly features: readonly GuildFeature[] }
  | ({ readonly type: 'SetFeatures' } & FeatureChanges)

export interface FeatureChanges {
  readonly add: readonly GuildFeature[]
  readonly remove: readonly GuildFeature[]
}
