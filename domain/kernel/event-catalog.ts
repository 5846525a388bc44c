import type { DomainEvent } from './decider.js'
import type { Category } from './streams.js'

/** How the data of one event type is stored: its version now, how older ones become it, and which members are personal. */
export interface EventDefinition {
  /** 1 for the first shape that was released. */
  readonly version: number
  /** `upcasts[0]` turns version 1 into version 2, and so on: there are `version - 1` of them. */
  readonly upcasts?: readonly Upcast[]
  /** Members of `data` that are personal: encrypted with the key of the account, null once that key is destroyed. */
  readonly personal?: readonly string[]
  /** Whether the reason that was given for it speaks of that account, so that it is personal too. */
  readonly personalReason?: boolean
}

/** Turns the stored data of one version into the next one. Pure; never fails on data that was once released. */
export type Upcast = (data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

/** All event types of one category. The key is the stored format: a name is never changed or reused once released. */
export interface EventCatalog<Event extends DomainEvent = DomainEvent> {
  readonly category: Category
  readonly events: Readonly<Record<Event['type'], EventDefinition>>
  /** The account whose key encrypts the personal members of an event; needed where there are any, or a reason is personal. */
  readonly subjectOf?: (stream: string, data: Readonly<Record<string, unknown>>) => string
  /**
   * How snapshots of states are kept where the category has personal data: sealed with the account's key where nothing is said;
   * `clear` where a state holds none of it; `none` where it holds that of several accounts, so that no key would do.
   */
  readonly snapshots?: 'clear' | 'none'
}
