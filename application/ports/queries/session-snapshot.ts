import type { Expressions } from '../../../domain/guild-expressions/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Membership } from '../../../domain/membership/state.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import type { AccountRecord } from './account-queries.ts'
import type { GuildWithMember } from './guild-queries.ts'
import type { ChosenSettings } from '../../../domain/user-settings/settings.ts'
import type { Relationship } from './relationship-queries.ts'
import type { PrivateChannel } from './private-channel-queries.ts'
import type { PasskeyRecord } from './passkey-queries.ts'
import type { UserGuildSettingsRecord } from './user-settings-queries.ts'

/** The start state of a Gateway session as of one position. It includes earlier events; later ones are dispatched. */
export interface SessionSnapshot {
  readonly position: Position
  readonly account: AccountRecord
  /** Oldest first. */
  readonly passkeys: readonly PasskeyRecord[]
  /** Empty for a bot. */
  readonly settings: ChosenSettings
  /** For its private channels, and for each guild where it has chosen anything. */
  readonly guildSettings: readonly UserGuildSettingsRecord[]
  /** The oldest first. */
  readonly relationships: readonly Relationship[]
  /** Its open channels, newest first. */
  readonly privateChannels: readonly PrivateChannel[]
  /** In the order of the folder layout: last joined first. */
  readonly guilds: readonly SnapshotGuild[]
}

/** A guild of the account. */
export type SnapshotGuild = GuildWithMember & { readonly member: Membership; readonly expressions: Expressions }

export interface SessionSnapshots {
  /** Undefined for an account that does not exist. */
  take(account: AccountId): Promise<SessionSnapshot | undefined>
}
