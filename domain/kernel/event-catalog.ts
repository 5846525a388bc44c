import type { DomainEvent } from './decider.js'
import type { Category } from './streams.js'

/**
 * How the data of one event type is stored: its current version, how older versions become it, and which members are personal.
 */
export interface EventDefinition {
  /** 1 for the first released shape. */
  readonly version: number
  /** `upcasts[0]` turns version 1 into version 2, and so on: there are `version - 1` of them. */
  readonly upcasts?: readonly Upcast[]
  /** Personal members of `data`: encrypted with the account's key, null once that key is destroyed. */
  readonly personal?: readonly string[]
  /** Whether the event's reason is about that account, and so personal too. */
  readonly personalReason?: boolean
}

/** Turns the stored data of one version into the next one. Pure; never fails on data that was once released. */
export type Upcast = (data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

/** All event types of one category. The key is the stored format: a name is never changed or reused once released. */
export interface EventCatalog<Event extends DomainEvent = DomainEvent> {
  readonly category: Category
  readonly events: Readonly<Record<Event['type'], EventDefinition>>
  /** The account whose key encrypts the personal members of an event; required if there are any, or a reason is personal. */
  readonly subjectOf?: (stream: string, data: Readonly<Record<string, unknown>>) => string
  /**
   * How snapshots are stored if the category has personal data: sealed with the account's key by default; `clear` if a state
   * holds no personal data; `none` if a state holds that of several accounts, so that no single key fits.
   */
  readonly snapshots?: 'clear' | 'none'
}
