import type { DomainEvent } from '../../../domain/kernel/decider.js'
import type { Category } from '../../../domain/kernel/streams.js'

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
type DataOf<Event extends DomainEvent, Type> = Extract<Event, { readonly type: Type }>['data']
/** The compiler holds the tables below against the types of the events. */
export type MembersOf<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: {
    readonly [Member in keyof DataOf<Event, Type>]: KindOf<DataOf<Event, Type>[Member]>
  }
}

/** The members that the data of an event must have, by category and type, in the newest version. */
export type PayloadMembers = Readonly<
  Partial<Record<Category, Readonly<Record<string, Readonly<Record<string, MemberKind>>>>>>
>
