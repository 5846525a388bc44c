import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fold, type Decider, type Decision, type DomainEvent } from '../../domain/kernel/decider.ts'
import type { ErrorCode } from '../../domain/kernel/error-codes.ts'
import { refusal, type FieldError } from '../../domain/kernel/refusal.ts'

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
    // Never awaited, and the word of the language (style.md, Its tests).
    // oxlint-disable-next-line unicorn/no-thenable
    then: (...events) => {
      expect(decision).toStrictEqual({ outcome: 'accepted', events })
    },
    refuses: (code, ...fields) => {
      expect(withoutMissing(decision)).toStrictEqual({ outcome: 'refused', refusal: refusal(code, ...fields) })
    },
    changesNothing: () => {
      expect(decision).toStrictEqual({ outcome: 'accepted', events: [] })
    },
  }
}

/** A decision without what a refusal says is missing: test/domain/permissions/lacking.test.ts compares that. */
function withoutMissing<Event>(decision: Decision<Event>): Decision<Event> {
  if (decision.outcome === 'accepted') return decision
  const { missing: _missing, ...details } = decision.refusal.details
  return { ...decision, refusal: { ...decision.refusal, details } }
}

/** One command in a history: the state before it, and its result. */
export interface Step<State, Command, Event> {
  readonly before: State
  readonly command: Command
  readonly decision: Decision<Event>
  /** Its events; none if it was refused. */
  readonly events: readonly Event[]
  readonly after: State
}

export interface History<State, Command, Event> {
  readonly steps: readonly Step<State, Command, Event>[]
  /** All events of all steps, oldest first. */
  readonly events: readonly Event[]
  readonly state: State
}

const historyCommands_max = 40

/** Possible histories of an aggregate: up to 40 commands, decided one after another from the beginning. */
export function histories<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  commands: fc.Arbitrary<Command>,
): fc.Arbitrary<History<State, Command, Event>> {
  const lists = fc.array(commands, { maxLength: historyCommands_max, size: 'max' })
  return lists.map((list) => play(decider, list))
}

/**
 * Decides commands one after another, each on the state that the ones before it left. Everything in it is frozen: changing it
 * throws.
 */
export function play<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  commands: readonly Command[],
): History<State, Command, Event> {
  const steps: Step<State, Command, Event>[] = []
  let state = frozen(decider.initial)
  for (const given of commands) {
    const command = frozen(given)
    const decision = frozen(decider.decide(state, command))
    const events = frozen(decision.outcome === 'accepted' ? decision.events : [])
    const after = frozen(fold(decider, events, state))
    steps.push({ before: state, command, decision, events, after })
    state = after
  }
  return { steps, events: steps.flatMap(({ events }) => events), state }
}

/** The value, deeply frozen. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) frozen(member)
  return value
}

/** The number of cases of a property. */
const runs = Number(process.env['PROPERTY_RUNS'] ?? 200)

/**
 * A test that holds for every value of an arbitrary. The predicate expects. Its result is ignored, so write it with a block
 * body. A failure names its seed: PROPERTY_SEED=<seed> tries the same cases again, PROPERTY_RUNS sets how many.
 */
export function property<Value>(
  name: string,
  arbitrary: fc.Arbitrary<Value>,
  predicate: (value: Value) => undefined,
): void {
  it(name, () => {
    holdsFor(arbitrary, predicate)
  })
}

const seed = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 2 ** 31)

/**
 * The values of each arbitrary. The laws of one aggregate share their arbitrary, so its histories are made once for all of
 * them.
 */
const samples = new WeakMap<fc.Arbitrary<unknown>, readonly unknown[]>()

function samplesOf<Value>(arbitrary: fc.Arbitrary<Value>): readonly Value[] {
  const known = samples.get(arbitrary) as readonly Value[] | undefined
  if (known) return known
  const made = fc.sample(arbitrary, { seed, numRuns: runs })
  samples.set(arbitrary, made)
  return made
}

/**
 * Throws if the predicate throws for a value of the arbitrary, with the smallest such value and the seed. The same arbitrary
 * gives every predicate the same values, so a predicate must not change them.
 */
export function holdsFor<Value>(arbitrary: fc.Arbitrary<Value>, predicate: (value: Value) => undefined): void {
  try {
    for (const value of samplesOf(arbitrary)) predicate(value)
  } catch (error) {
    // Tries the same cases again, one after another, down to the smallest that fails.
    const wrapped = fc.property(arbitrary, (value) => {
      predicate(value)
    })
    fc.assert(wrapped, { seed, numRuns: runs, includeErrorInReport: true })
    throw new Error(`It failed once, and not for the same value made anew: was the value changed? (seed: ${seed})`, {
      cause: error,
    })
  }
}
