import { fold, type Decider, type Decision, type DomainEvent } from '../kernel/decider.ts'
import type { ErrorCode } from '../kernel/error-codes.ts'
import { refusal, type FieldError } from '../kernel/refusal.ts'
import { expectSame } from './same-value.ts'

export interface Given<Command, Event> {
  when(command: Command): Outcome<Event>
}

/** Expectations about a decision. Each throws if the decision differs. */
export interface Outcome<Event> {
  /** Exactly these events, in this order. */
  then(...events: readonly [Event, ...Event[]]): void
  refuses(code: ErrorCode, ...fields: readonly FieldError[]): void
  /** Accepted, without any event. */
  changesNothing(): void
}

/** Starts a sentence about an aggregate with these past events, oldest first. */
export function given<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  events: readonly Event[],
): Given<Command, Event> {
  return { when: (command) => outcomeOf(decider.decide(fold(decider, events), command)) }
}

function outcomeOf<Event>(decision: Decision<Event>): Outcome<Event> {
  return {
    // Never awaited, and the word of the language.
    // oxlint-disable-next-line unicorn/no-thenable
    then: (...events) => {
      expectSame(decision, { outcome: 'accepted', events })
    },
    refuses: (code, ...fields) => {
      expectSame(withoutMissing(decision), { outcome: 'refused', refusal: refusal(code, ...fields) })
    },
    changesNothing: () => {
      expectSame(decision, { outcome: 'accepted', events: [] })
    },
  }
}

/** A decision without what a refusal says is missing: test/domain/permissions/lacking.test.ts compares that. */
function withoutMissing<Event>(decision: Decision<Event>): Decision<Event> {
  if (decision.outcome === 'accepted') return decision
  const { missing: _missing, ...details } = decision.refusal.details
  return { ...decision, refusal: { ...decision.refusal, details } }
}
