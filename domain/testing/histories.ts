import fc from 'fast-check'
import { fold, type Decider, type Decision, type DomainEvent } from '../kernel/decider.ts'

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
  return lists.map((list) => readable(play(decider, list)))
}

/** fast-check prints a history as its commands and what came of each: the states follow from these. */
function readable<State, Command, Event extends DomainEvent>(
  history: History<State, Command, Event>,
): History<State, Command, Event> {
  const lines = (): readonly string[] =>
    history.steps.map(({ command, decision }) => `${fc.stringify(command)} → ${outcomeOf(decision)}`)
  return Object.defineProperty(history, fc.toStringMethod, { value: () => `\n  ${lines().join('\n  ')}\n` })
}

function outcomeOf(decision: Decision<DomainEvent>): string {
  if (decision.outcome === 'refused') return decision.refusal.code
  return decision.events.map(({ type }) => type).join(', ') || 'nothing'
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
