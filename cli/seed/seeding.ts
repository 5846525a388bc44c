import type { Aggregates } from '../../application/ports.ts'
import type { Messages } from '../../application/ports/messages.ts'
import type { Guild } from '../../domain/guild/state.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { Store } from '../../process/store.ts'
import type { Chance } from './chance.ts'
import type { Past } from './past.ts'

/** The requested sizes. */
export interface SeedSizes {
  /** Members in addition to the owner. */
  readonly members_count: number
  /** Text channels in addition to those that every guild begins with. */
  readonly channels_count: number
  readonly messages_count: number
}

/** What the seeding functions share. */
export interface Seeding {
  readonly sizes: SeedSizes
  readonly guildName: string
  readonly chance: Chance
  readonly past: Past
  readonly store: Pick<Store, 'events' | 'keys'>
  readonly aggregates: Aggregates
  readonly messages: Pick<Messages, 'post'>
  /** Whether usernames are unique on the instance without discriminators. */
  readonly withoutDiscriminators: boolean
  readonly signal: AbortSignal
  /** Called with the number of finished steps. */
  readonly onProgress: (done: number) => void
}

/** A made-up person, and when they came to the service. */
export interface Person {
  readonly id: AccountId
  readonly username: string
  readonly globalName: string
  readonly at_ms: number
}

/** The guild and its founder. */
export interface SeededGuild {
  readonly guild: Guild
  readonly ownerId: AccountId
}

/** How many commands are under way at once: the store writes those that arrive together in one step. */
export const commandsAtOnce = 200
