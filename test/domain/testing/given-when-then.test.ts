import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accept, refuse, type Decider } from '../../../domain/kernel/decider.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories, play } from '../../../domain/testing/histories.ts'
import { holdsFor, property } from '../../support/property.ts'

type Door = { readonly status: 'open' | 'shut' }
type DoorCommand = { readonly type: 'Open' | 'Shut' | 'Paint' }
type DoorEvent = { readonly type: 'Opened' | 'Closed'; readonly data: { readonly by?: string } }

const opened: DoorEvent = { type: 'Opened', data: {} }
const closed: DoorEvent = { type: 'Closed', data: {} }
const open: DoorCommand = { type: 'Open' }
const shut: DoorCommand = { type: 'Shut' }
const paint: DoorCommand = { type: 'Paint' }

const door: Decider<Door, DoorCommand, DoorEvent> = {
  initial: { status: 'shut' },
  decide: (state, { type }) => {
    if (type === 'Paint') return refuse('INVALID_FORM_BODY', field('color', 'TOO_LARGE'))
    if ((type === 'Open') === (state.status === 'open')) return accept()
    return accept(type === 'Open' ? opened : closed)
  },
  evolve: (_, { type }) => ({ status: type === 'Opened' ? 'open' : 'shut' }),
}

const fails = (sentence: () => void): void => {
  expect(sentence).toThrow(/expected/i)
}

describe('given events, when a command is decided, then', () => {
  it('passes for exactly the events that follow', () => {
    given(door, []).when(open).then(opened)
    given(door, [opened]).when(shut).then(closed)
  })

  it('fails for other events, more events, events in place of none, and for a refusal', () => {
    fails(() => given(door, []).when(open).then(closed))
    fails(() => given(door, []).when(open).then(opened, closed))
    fails(() =>
      given(door, [])
        .when(open)
        .then({ type: 'Opened', data: { by: 'Ada' } }),
    )
    fails(() => given(door, [opened]).when(open).then(opened))
    fails(() => given(door, []).when(paint).then(opened))
  })

  it('takes every given event into account, in order', () => {
    given(door, [opened, closed]).when(open).then(opened)
    fails(() => given(door, [closed, opened]).when(open).then(opened))
  })
})

describe('refuses', () => {
  it('passes for the code with all of its fields', () => {
    given(door, []).when(paint).refuses('INVALID_FORM_BODY', field('color', 'TOO_LARGE'))
  })

  it('fails for another code, for other or missing fields, and where the command is accepted', () => {
    fails(() => given(door, []).when(paint).refuses('CONFLICT', field('color', 'TOO_LARGE')))
    fails(() => given(door, []).when(paint).refuses('INVALID_FORM_BODY', field('size', 'TOO_LARGE')))
    fails(() => given(door, []).when(paint).refuses('INVALID_FORM_BODY'))
    fails(() => given(door, []).when(open).refuses('CONFLICT'))
    fails(() => given(door, [opened]).when(open).refuses('CONFLICT'))
  })
})

describe('changesNothing', () => {
  it('passes where the command is accepted without events', () => {
    given(door, [opened]).when(open).changesNothing()
  })

  it('fails where something happens, and for a refusal', () => {
    fails(() => given(door, []).when(open).changesNothing())
    fails(() => given(door, []).when(paint).changesNothing())
  })
})

describe('a history', () => {
  it('decides each command on what the ones before it left', () => {
    const { steps, events, state } = play(door, [open, open, paint, shut])
    expect(steps.map(({ events: own }) => own)).toStrictEqual([[opened], [], [], [closed]])
    expect(steps.map(({ before }) => before.status)).toStrictEqual(['shut', 'open', 'open', 'open'])
    expect(steps.map(({ after }) => after.status)).toStrictEqual(['open', 'open', 'open', 'shut'])
    expect(steps[2]?.decision).toStrictEqual(door.decide({ status: 'open' }, paint))
    expect(events).toStrictEqual([opened, closed])
    expect(state).toStrictEqual({ status: 'shut' })
  })

  it('is as long as 40 commands, and sometimes empty', () => {
    const samples = fc.sample(histories(door, fc.constantFrom(open, shut, paint)), { numRuns: 500, seed: 1 })
    const lengths = samples.map(({ steps }) => steps.length)
    expect(Math.min(...lengths)).toBe(0)
    expect(Math.max(...lengths)).toBe(40)
  })
})

describe('a property', () => {
  property('passes where its predicate expects nothing wrong', fc.nat(), (value) => {
    expect(value).toBeGreaterThanOrEqual(0)
  })

  it('fails with the smallest counterexample, its cause and its seed', () => {
    const failing = () => {
      holdsFor(fc.nat(), (value) => {
        expect(value).toBeLessThan(1000)
      })
    }
    expect(failing).toThrow(/seed: -?\d+/)
    expect(failing).toThrow(/Counterexample: \[1000\]/)
    expect(failing).toThrow(/expected 1000 to be less than 1000/)
  })

  it('takes no predicate that only answers, for its answer would be lost', () => {
    // @ts-expect-error: an expression body that gives a boolean expects nothing
    holdsFor(fc.nat(), (value) => value >= 0)
    // @ts-expect-error: a promise would be rejected after the test is over
    holdsFor(fc.nat(), async () => undefined)
  })
})
