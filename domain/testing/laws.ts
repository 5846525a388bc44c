import fc from 'fast-check'
import { fold, type Decider, type DomainEvent } from '../kernel/decider.ts'
import { errorCodes } from '../kernel/error-codes.ts'
import { histories, type History } from './histories.ts'
import { expectSame } from './same-value.ts'

/** A history, and what some laws draw beside it. */
export interface Life<State, Command, Event> {
  readonly history: History<State, Command, Event>
  /** Some of its events, each at most twice, in any order. */
  readonly disorder: readonly Event[]
  /** How many of its events a snapshot contains. */
  readonly cut: number
}

/** What holds for every history of every aggregate. */
export interface Law<State, Command, Event> {
  /** Continues "every <aggregate>". */
  readonly sentence: string
  /** Throws if the law does not hold. */
  readonly check: (life: Life<State, Command, Event>) => void
}

/** Lives of an aggregate with these commands. */
export function lives<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  commands: fc.Arbitrary<Command>,
): fc.Arbitrary<Life<State, Command, Event>> {
  return histories(decider, commands).chain((history) => {
    const twice = [...history.events, ...history.events]
    return fc
      .tuple(
        fc.noShrink(fc.shuffledSubarray(twice, { minLength: Math.floor(twice.length / 2) })),
        fc.nat({ max: history.events.length }),
      )
      .map(([disorder, cut]) => ({ history, disorder, cut }))
  })
}

/** The laws of an aggregate that raises events of these types. */
export function lawsOf<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  types: readonly string[],
): readonly Law<State, Command, Event>[] {
  return [
    {
      sentence: 'lets a command that was decided change nothing the second time',
      check: ({ history }) => changesNothingTwice(decider, history),
    },
    {
      sentence: 'refuses with codes of the contract, and with fields for a form body alone',
      check: ({ history: { steps } }) => {
        const refusals = steps.flatMap(({ decision }) => (decision.outcome === 'refused' ? [decision.refusal] : []))
        const wrong = refusals.filter(({ code, fields }) => {
          const takesFields = ['INVALID_FORM_BODY', 'VALIDATION_ERROR'].includes(code)
          return !Object.hasOwn(errorCodes, code) || fields.length > 0 !== takesFields
        })
        expectSame(wrong, [])
      },
    },
    {
      sentence: 'raises only events that are in its catalog',
      check: ({ history: { events } }) => {
        const unknown = events.filter(({ type }) => !types.includes(type))
        expectSame(unknown, [])
      },
    },
    {
      sentence: 'has states and events that are plain JSON',
      check: ({ history: { steps, events } }) => {
        const states = new Set(steps.map(({ after }) => after))
        for (const state of states) expectSame(throughJson(state), state)
        expectSame(throughJson(events), events)
      },
    },
    {
      sentence: 'leaves the states and commands that it was given as they were',
      check: ({ history }) => changesNothingGiven(decider, history),
    },
    {
      sentence: 'makes a plain state of its events in any order',
      check: ({ disorder }) => {
        const state = fold(decider, disorder)
        expectSame(throughJson(state), state)
      },
    },
    {
      sentence: 'comes to the same state from a snapshot on',
      check: ({ history: { events, state }, cut }) => {
        const snapshot = throughJson(fold(decider, events.slice(0, cut)))
        expectSame(fold(decider, events.slice(cut), snapshot), state)
      },
    },
  ]
}

function changesNothingTwice<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  { steps }: History<State, Command, Event>,
): void {
  for (const { command, decision, after } of steps) {
    const again = decider.decide(after, command)
    if (decision.outcome === 'refused') expectSame(again, decision)
    else if (again.outcome === 'accepted' && again.events.length > 0)
      expectSame(again.events.filter(tellsOfAChange), [])
  }
}

function changesNothingGiven<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  { steps }: History<State, Command, Event>,
): void {
  for (const { before, command, events } of steps) {
    // They are frozen, so changing one would throw.
    decider.decide(before, command)
    fold(decider, events, before)
  }
  const given = steps.flatMap(({ before, command, events }) => [before, command, events])
  expectSame(
    given.filter((value) => !Object.isFrozen(value)),
    [],
  )
}

/**
 * Writes that are announced even if they change nothing are recorded, with an empty change, or with the same before and
 * after. The deletion of messages is recorded by each process that removed them, again if it was done again. Holders
 * are told again that no deletion of their messages is scheduled.
 */
const toldAnyway: readonly string[] = [
  'RoleChanged',
  'ChannelChanged',
  'ChannelOverwritesChanged',
  'EmojiRenamed',
  'StickerChanged',
]
const alwaysRecorded: readonly string[] = ['ChannelMessagesRemoved', 'MessageDeletionWithdrawn']

function tellsOfAChange({ type, data }: DomainEvent): boolean {
  if (alwaysRecorded.includes(type)) return false
  if (!toldAnyway.includes(type) || !('after' in data) || !('before' in data)) return true
  return JSON.stringify(data.after) !== JSON.stringify(data.before)
}

function throughJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}
