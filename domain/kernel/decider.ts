import type { ErrorCode } from './error-codes.ts'
import { refusal, type FieldError, type Refusal } from './refusal.ts'

/** A fact that happened to one aggregate: a name in the past tense and its data, as plain JSON. */
export interface DomainEvent {
  readonly type: string
  readonly data: object
}

/** The result of a command: events (none if nothing changes), or a refusal. */
export type Decision<Event> =
  | { readonly outcome: 'accepted'; readonly events: readonly Event[] }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

/**
 * An aggregate: how commands become events, and events become state. Both functions are pure and total; time, new ids and facts
 * from elsewhere arrive in the command. States are plain JSON, so they can be snapshotted and compared.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly initial: State
  readonly decide: (state: State, command: Command) => Decision<Event>
  readonly evolve: (state: State, event: Event) => State
}

/** How each command is decided, by its type. The compiler refuses a table that lacks one. */
export type Decisions<State, Command extends { readonly type: string }, Event> = {
  readonly [Type in Command['type']]: (
    state: State,
    command: Extract<Command, { readonly type: Type }>,
  ) => Decision<Event>
}

/** Decides a command by its row of the table. */
export function decideBy<State, Command extends { readonly type: string }, Event>(
  table: Decisions<State, Command, Event>,
  state: State,
  command: Command,
): Decision<Event> {
  // That the type names a row, and that the row takes this very command, is what the compiler can't see here.
  const decide: (state: State, command: never) => Decision<Event> = table[command.type as Command['type']]
  return decide(state, command as never)
}

/** Accepts a command with its events. */
export function accept<Event>(...events: readonly Event[]): Decision<Event> {
  return { outcome: 'accepted', events }
}

/** Refuses a command with a refusal, or with one of the contract's codes; INVALID_FORM_BODY has field entries. */
export function refuse(reason: ErrorCode | Refusal, ...fields: readonly FieldError[]): Decision<never> {
  return { outcome: 'refused', refusal: typeof reason === 'string' ? refusal(reason, ...fields) : reason }
}

/** Refuses with members beside `code` in the answer. */
export function refuseWith(code: ErrorCode, details: Refusal['details']): Decision<never> {
  return { outcome: 'refused', refusal: { code, fields: [], details } }
}

/** The state after `events`, starting from `state`. */
export function fold<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  events: Iterable<Event>,
  state: State = decider.initial,
): State {
  let folded = state
  for (const event of events) folded = decider.evolve(folded, event)
  return folded
}
