import type { Aggregates } from '../../application/ports.js'
import type { Messages } from '../../application/ports/messages.js'
import type { Guild } from '../../domain/guild/state.js'
import type { AccountId } from '../../domain/ids/ids.js'
import type { Store } from '../store.js'
import type { Chance } from './chance.js'
import type { Past } from './past.js'

/** How much is wanted. */
export interface SeedSizes {
  /** Members beside the owner. */
  readonly members_count: number
  /** Text channels beside those that every guild begins with. */
  readonly channels_count: number
  readonly messages_count: number
}

/** What seeding works with. */
export interface Seeding {
  readonly sizes: SeedSizes
  readonly guildName: string
  readonly chance: Chance
  readonly past: Past
  readonly store: Pick<Store, 'events' | 'keys'>
  readonly aggregates: Aggregates
  readonly messages: Pick<Messages, 'post'>
  /** Whether usernames are unique alone on the instance. */
  readonly withoutDiscriminators: boolean
  readonly signal: AbortSignal
  /** How many of all steps are done. */
  readonly onProgress: (done: number) => void
}

/** Somebody who is made up: when they came to the service. */
export interface Person {
  readonly id: AccountId
  readonly username: string
  readonly globalName: string
  readonly at_ms: number
}

/** The guild, and who founded it. */
export interface SeededGuild {
  readonly guild: Guild
  readonly ownerId: AccountId
}

/** How many commands are on their way at once: the store writes those that arrive together in one step. */
export const commandsAtOnce = 200
