import type { DomainEvent } from './decider.ts'

type Base = 'text' | 'number' | 'flag' | 'list' | 'object'
/** What a member of an event's data is. */
export type MemberKind = Base | `${Base} or null`

type BaseOf<Value> = Value extends string
  ? 'text'
  : Value extends number
    ? 'number'
    : Value extends boolean
      ? 'flag'
      : Value extends readonly unknown[]
        ? 'list'
        : 'object'
type KindOf<Value> = null extends Value ? `${BaseOf<NonNullable<Value>>} or null` : BaseOf<Value>
/** The kinds of the members that every event with such data has. Those that may be missing are left out. */
export type MembersOf<Data> = { readonly [Member in keyof Data]: KindOf<Data[Member]> }

/** The types of the data of older versions, the oldest first. */
type OlderVersions = readonly object[]

/**
 * How the data of one event type is stored: its current version, how older versions become it, and which members are personal.
 */
export interface EventDefinition<Data extends object = object, Older extends OlderVersions = OlderVersions> {
  /** 1 for the first released shape. */
  readonly version: number
  /** `upcasts[0]` turns version 1 into version 2, and so on: there are `version - 1` of them. */
  readonly upcasts?: readonly Upcast[]
  /** What the data must have in the newest version. Data without it can't be read. Nothing is asked where it is missing. */
  readonly members?: Readonly<Record<string, MemberKind>>
  /** Personal members of `data`: encrypted with the account's key, null once that key is destroyed. */
  readonly personal?: readonly string[]
  /** Whether the event's reason is about that account, and so personal too. */
  readonly personalReason?: boolean
  /** Never set. It tells the compiler the type of the data. */
  readonly data?: Data
  /** Never set. It tells readers of the types what older versions had (cli/event-schemas). */
  readonly older?: Older
}

/** Turns the stored data of one version into the next one. Pure; never fails on data that was once released. */
export type Upcast = (data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

/** All event types of one category. The key is the stored format: a name is never changed or reused once released. */
export type EventDefinitions = Readonly<Record<string, EventDefinition>>

export interface EventTraits<Data, Older extends OlderVersions = readonly []> {
  /** One for each older version. */
  readonly upcasts?: { readonly [Version in keyof Older]: Upcast }
  readonly personal?: readonly (keyof Data & string)[]
  readonly personalReason?: boolean
}

/** Defines an event type. Its version is 1, and one more for each upcast. The compiler holds `members` against the type of the data. */
export function event<Data extends object, Older extends OlderVersions = readonly []>(
  members: MembersOf<Data>,
  traits: EventTraits<Data, Older> = {},
): EventDefinition<Data, Older> {
  return { version: 1 + (traits.upcasts?.length ?? 0), members: { ...members }, ...traits }
}

type DataOf<Definition> = Definition extends EventDefinition<infer Data> ? Data : never

/** The events that definitions allow: what `decide` returns and `evolve` takes. */
export type EventOf<Definitions extends EventDefinitions> = {
  readonly [Type in keyof Definitions & string]: { readonly type: Type; readonly data: DataOf<Definitions[Type]> }
}[keyof Definitions & string]

/** What stores need to know of one category. */
export interface EventCatalog<Event extends DomainEvent = DomainEvent> {
  readonly category: string
  readonly events: Readonly<Record<Event['type'], EventDefinition>>
  /**
   * The account whose key encrypts the personal members of an event, from the id of its stream and its data. Needed where there are
   * any, or a reason is personal.
   */
  readonly subjectOf?: (id: string, data: Readonly<Record<string, unknown>>) => string
  /**
   * How snapshots are stored if the category has personal data: sealed with the account's key by default; `clear` if a state
   * holds no personal data; `none` if a state holds that of several accounts, so that no single key fits.
   */
  readonly snapshots?: 'clear' | 'none'
}
