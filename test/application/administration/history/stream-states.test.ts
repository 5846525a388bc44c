import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differences, valueAt, type Json } from '../../../../application/administration/history/differences.ts'
import { nothingRevealed } from '../../../../application/administration/history/masked-event.ts'
import { streamDifference } from '../../../../application/administration/history/stream-differences.ts'
import {
  stateAt,
  stepsUntil,
  type HistoryEvents,
} from '../../../../application/administration/history/stream-states.ts'
import { atEnd } from '../../../../application/administration/history/moments.ts'
import { Refused } from '../../../../application/commands/refused.ts'
import { personalParts } from '../../../../domain/personal-parts.ts'
import { aggregateNames, aggregates, eventCatalogs } from '../../../../domain/aggregates.ts'
import { shownTo } from '../../../../domain/admin/personal-members.ts'
import { historiesOf } from '../../../../domain/testing/every-aggregate.ts'
import { streamName, type StreamName } from '../../../../domain/streams.ts'
import { recorded, storeOf, timeOf } from './recorded-history.ts'

const everythingRevealed = () => true
/** A few for each of the many aggregates. */
const numRuns = 20

async function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Refused)) throw new Error('It is not refused', { cause: error })
  const { code, fields } = error.refusal
  return [code, ...fields.map(({ path, code: fieldCode }) => `${path} ${fieldCode}`)]
}

/** What a stream comes to after each of its events. */
async function statesOf(events: HistoryEvents, stream: StreamName): Promise<readonly Json[]> {
  const found: Json[] = []
  for await (const { steps } of stepsUntil({ events, revealed: nothingRevealed }, stream, atEnd))
    found.push(...steps.map(({ state }) => state))
  return found
}

describe.each(aggregateNames)('the history of %s', (name) => {
  const stream = streamName(aggregates[name].category, '1')

  it('has the state that was decided on at every revision', async () => {
    await fc.assert(
      fc.asyncProperty(historiesOf(name), async ({ events, steps }) => {
        const found = await statesOf(storeOf(recorded(stream, events)), stream)
        let revision = -1
        for (const { events: made, after } of steps) {
          revision += made.length
          if (made.length > 0) expect(found[revision]).toEqual(after)
        }
      }),
      { numRuns },
    )
  })
  it('shows nothing personal unless it is revealed, and says what it leaves out', async () => {
    await fc.assert(
      fc.asyncProperty(historiesOf(name), async ({ events, state }) => {
        fc.pre(events.length > 0)
        const history = recorded(stream, events)
        const shown = await stateAt({ events: storeOf(history), revealed: nothingRevealed }, stream, { by: 'end' })
        const forgotten = history.map((event) => {
          const personal = personalParts(event)
            .members.filter((member) => member in event.data)
            .map((member) => [member, null])
          return { ...event, data: { ...event.data, ...Object.fromEntries(personal) } }
        })
        const erased = await stateAt({ events: storeOf(forgotten), revealed: everythingRevealed }, stream, {
          by: 'end',
        })
        expect(shown.state).toEqual(erased.state)
        expect(differences(shown.state, state as never).map(({ path }) => path)).toEqual(shown.leftOut)
      }),
      { numRuns },
    )
  })
  it('has no difference between a moment and itself, and differences that lead from one moment to the other', async () => {
    await fc.assert(
      fc.asyncProperty(historiesOf(name), fc.nat(), fc.nat(), async ({ events }, some, other) => {
        fc.pre(events.length > 0)
        const [from, to] = [some % events.length, other % events.length].toSorted((one, two) => one - two) as [
          number,
          number,
        ]
        const question = { events: storeOf(recorded(stream, events)), revealed: everythingRevealed }
        const at = (revision: number) => ({ by: 'revision', revision }) as const
        const same = await streamDifference(question, stream, { from: at(to), to: at(to) })
        expect(same.differences).toEqual([])
        const states = await statesOf(question.events, stream)
        const { differences: found } = await streamDifference(question, stream, { from: at(from), to: at(to) })
        expect(found.map(({ path }) => path).toSorted()).toEqual(
          differences(states[from], states[to])
            .map(({ path }) => path)
            .toSorted(),
        )
        for (const { path, after, leftOut, by } of found) {
          if (!leftOut) expect(after).toEqual(valueAt(states[to], path))
          expect(by.revision).toBeGreaterThan(from)
          expect(by.revision).toBeLessThanOrEqual(to)
        }
      }),
      { numRuns },
    )
  })
})

describe('a moment', () => {
  const stream = streamName('handle', 'ada')
  const claimed = { type: 'HandleClaimed', data: { accountId: '1', username: 'ada', discriminator: 1 } }
  const events = storeOf(recorded(stream, [claimed, { ...claimed, data: { ...claimed.data, discriminator: 2 } }]))
  const question = { events, revealed: nothingRevealed }
  const time = (revision: number) => ({ by: 'time', time: timeOf(revision) }) as const

  it('that is a time is after all events up to that time, that of the event included', async () => {
    expect((await stateAt(question, stream, time(0))).event.revision).toBe(0)
    expect((await stateAt(question, stream, time(0.5))).event.revision).toBe(0)
    expect((await stateAt(question, stream, time(1))).event.revision).toBe(1)
    expect((await stateAt(question, stream, time(1000))).event.revision).toBe(1)
  })
  it('before the first event or after the last revision is refused at its place', async () => {
    expect(await refusalOf(stateAt(question, stream, time(-1)))).toEqual([
      'INVALID_FORM_BODY',
      'at TIME_BEFORE_FIRST_EVENT',
    ])
    expect(await refusalOf(stateAt(question, stream, { by: 'revision', revision: 2 }))).toEqual([
      'INVALID_FORM_BODY',
      'at REVISION_AFTER_LAST_EVENT',
    ])
    const later = { by: 'revision', revision: 7 } as const
    expect(await refusalOf(streamDifference(question, stream, { from: time(0), to: later }))).toEqual([
      'INVALID_FORM_BODY',
      'to REVISION_AFTER_LAST_EVENT',
    ])
    expect(await refusalOf(streamDifference(question, stream, { from: time(1), to: time(0) }))).toEqual([
      'INVALID_FORM_BODY',
      'to RANGE_ENDS_BEFORE_START',
    ])
    expect(await refusalOf(streamDifference(question, stream, { from: time(-2), to: time(-1) }))).toEqual([
      'INVALID_FORM_BODY',
      'to TIME_BEFORE_FIRST_EVENT',
    ])
  })
  it('of a stream without events is not found', async () => {
    const none = { events: storeOf([]), revealed: nothingRevealed }
    expect(await refusalOf(stateAt(none, stream, { by: 'end' }))).toEqual(['NOT_FOUND'])
    expect(await refusalOf(streamDifference(none, stream, { from: time(0), to: time(1) }))).toEqual(['NOT_FOUND'])
  })
})

describe('a difference', () => {
  it('goes as deep as both values do, and names things in lists by their ids', () => {
    const before = {
      name: 'A',
      roles: [
        { id: '1', color: 1 },
        { id: '2', color: 2 },
      ],
      tags: ['x'],
    }
    const after = {
      name: 'A',
      roles: [
        { id: '1', color: 3 },
        { id: '4', color: 4 },
      ],
      tags: ['x', 'y'],
    }
    expect(differences(before, after)).toEqual([
      { path: '/roles/1/color', before: 1, after: 3 },
      { path: '/roles/2', before: { id: '2', color: 2 }, after: undefined },
      { path: '/roles/4', before: undefined, after: { id: '4', color: 4 } },
      { path: '/tags', before: ['x'], after: ['x', 'y'] },
    ])
  })
  it('has the order of a list with ids as a member of its own', () => {
    const [one, two, three] = [{ id: '1' }, { id: '2' }, { id: '3' }]
    expect(differences({ list: [one, two, three] }, { list: [three, one] })).toEqual([
      { path: '/list/2', before: two, after: undefined },
      { path: '/list/order', before: ['1', '3'], after: ['3', '1'] },
    ])
  })
  it('finds what differs between the same objects at both ends of a list', () => {
    const [one, two, three, four] = [{ id: '1' }, { id: '2' }, { id: '3' }, { id: '4' }]
    expect(differences({ list: [one, four] }, { list: [one, two, four] })).toEqual([
      { path: '/list/2', before: undefined, after: two },
    ])
    expect(differences([one, two, three, four], [one, three, two, four])).toEqual([
      { path: '/order', before: ['1', '2', '3', '4'], after: ['1', '3', '2', '4'] },
    ])
    expect(differences(['x', 'y'], ['x'])).toEqual([{ path: '', before: ['x', 'y'], after: ['x'] }])
    expect(differences(['x'], ['x'])).toEqual([])
  })
})

it('says of every personal member of an event to whom it may be shown', () => {
  const personal = Object.values(eventCatalogs).flatMap(({ category, events }) =>
    Object.values(events).flatMap((definition) =>
      (definition.personal ?? []).map((member) => [category, member] as const),
    ),
  )
  const secrets = personal.filter(([category, member]) => shownTo(category, member) === 'nobody')
  expect([...new Set(secrets.map(([, member]) => member))].toSorted()).toEqual(
    ['codes', 'keyHash', 'passwordHash', 'secret', 'secrets', 'storeKey', 'token'].toSorted(),
  )
})
