import fc from 'fast-check'
import { describe, expect } from 'vitest'
import {
  aggregates,
  eventCatalogs,
  type AggregateName,
  type CommandOf,
  type EventsOf,
  type StateOf,
} from '../../domain/aggregates.ts'
import { fold, type Decider, type DomainEvent } from '../../domain/kernel/decider.ts'
import { errorCodes } from '../../domain/kernel/error-codes.ts'
import { histories, property } from './given-when-then.ts'
import { chance, type Chance } from './load-random.ts'

/**
 * Writes that are announced even if they change nothing are recorded, with an empty change, or with the same before and
 * after. The deletion of messages is recorded by each process that removed them, again if it was done again. Holders
 * are told again that no deletion of their messages is scheduled.
 */
const toldAnyway: readonly string[] = ['RoleChanged', 'ChannelChanged', 'ChannelOverwritesChanged']
const alwaysRecorded: readonly string[] = ['ChannelMessagesRemoved', 'MessageDeletionWithdrawn']
const tellsOfAChange = ({ type, data }: DomainEvent): boolean => {
  if (alwaysRecorded.includes(type)) return false
  if (!toldAnyway.includes(type) || !('after' in data) || !('before' in data)) return true
  return JSON.stringify(data.after) !== JSON.stringify(data.before)
}

/** Laws that hold for every aggregate and every history. Each aggregate's own test calls this with commands for it. */
export function laws<Name extends AggregateName>(name: Name, commands: fc.Arbitrary<CommandOf<Name>>): void {
  const { category, events } = eventCatalogs[aggregates[name].category]
  // The compiler can't connect the parts of one definition among all.
  const decider = aggregates[name] as unknown as Decider<StateOf<Name>, CommandOf<Name>, EventsOf<Name>>
  lawsOf(category, Object.keys(events), decider, commands)
}

function lawsOf<State, Command, Event extends DomainEvent>(
  category: string,
  types: readonly string[],
  decider: Decider<State, Command, Event>,
  arbitrary: fc.Arbitrary<Command>,
): void {
  const lives = fc.record({
    history: histories(decider, arbitrary),
    seed: fc.noShrink(fc.nat()),
    cut: fc.nat(),
  })

  describe(`every ${category}`, () => {
    property('lets a command that was decided change nothing the second time', lives, ({ history: { steps } }) => {
      for (const { command, decision, after } of steps) {
        const again = decider.decide(after, command)
        if (decision.outcome === 'refused') expect(again).toStrictEqual(decision)
        else if (again.outcome === 'accepted' && again.events.length > 0)
          expect(again.events.filter(tellsOfAChange)).toStrictEqual([])
      }
    })

    property(
      'refuses with codes of the contract, and with fields for a form body alone',
      lives,
      ({ history: { steps } }) => {
        const wrong = steps.filter(({ decision }) => {
          if (decision.outcome === 'accepted') return false
          const { code, fields } = decision.refusal
          const takesFields = ['INVALID_FORM_BODY', 'VALIDATION_ERROR'].includes(code)
          return !Object.hasOwn(errorCodes, code) || fields.length > 0 !== takesFields
        })
        expect(wrong).toStrictEqual([])
      },
    )

    property('raises only events that are in its catalog', lives, ({ history: { events } }) => {
      const unknown = events.filter(({ type }) => !types.includes(type))
      expect(unknown).toStrictEqual([])
    })

    property('has states and events that are plain JSON', lives, ({ history: { steps, events } }) => {
      const states = new Set(steps.map(({ after }) => after))
      for (const state of states) expect(throughJson(state)).toStrictEqual(state)
      expect(throughJson(events)).toStrictEqual(events)
    })

    property('leaves the states and commands that it was given as they were', lives, ({ history: { steps } }) => {
      for (const { before, command, events } of steps) {
        // They are frozen, so changing one would throw.
        decider.decide(before, command)
        fold(decider, events, before)
      }
      const given = steps.flatMap(({ before, command, events }) => [before, command, events])
      expect(given.filter((value) => !Object.isFrozen(value))).toStrictEqual([])
    })

    property('makes a plain state of its events in any order', lives, ({ history: { events }, seed }) => {
      const state = fold(decider, inDisorder([...events, ...events], chance(seed)))
      expect(throughJson(state)).toStrictEqual(state)
    })

    property('comes to the same state from a snapshot on', lives, ({ history: { events, state }, cut }) => {
      const revision = cut % (events.length + 1)
      const snapshot = throughJson(fold(decider, events.slice(0, revision))) as State
      expect(fold(decider, events.slice(revision), snapshot)).toStrictEqual(state)
    })
  })
}

/** Some of these, in any order. */
function inDisorder<Value>(values: readonly Value[], draws: Chance): readonly Value[] {
  const drawn = values.map((value) => ({ value, place: draws.next() })).filter(() => draws.next() < 0.75)
  return drawn.toSorted((one, other) => one.place - other.place).map(({ value }) => value)
}

function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
