import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nothingRevealed } from '../../application/administration/history/masked-event.ts'
import { stateIfBegun } from '../../application/administration/history/stream-states.ts'
import {
  invitesThatStand,
  membershipsThatAre,
  streamsThatChanged,
} from '../../application/administration/history/streams-of-guild.ts'
import type { AllQueries } from '../../application/ports.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { beforeAll as beforeEverything } from '../../domain/kernel/position.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { categoryOf, type StreamName } from '../../domain/streams.ts'
import { historyProjection } from '../../projections/history/projector.ts'
import { historyQueries } from '../../projections/history/queries.ts'
import {
  account,
  after,
  banned,
  created,
  guild,
  invited,
  joined,
  left,
  redeemed,
  terms,
  uninvited,
} from './support/people.ts'
import { world, type AnyEvent, type World } from './support/world.ts'

let the: World
let queries: Pick<AllQueries, 'history'>
const home = guild(1)
const first = terms('First123', { guildId: home })
const second = terms('Second12', { guildId: home })
const vain = { code: terms('lobby').code, claim: 1 }

/** Each with the second in which it happened, which is not always after the one before. */
const happened: readonly (readonly [number, AnyEvent])[] = [
  [0, created(1)],
  [0, joined(1, 1)],
  [1, invited(first)],
  [2, joined(1, 10)],
  [2, joined(1, 9)],
  [3, redeemed(first, 'r', 1, 10)],
  [4, joined(1, 11)],
  [4, created(2)],
  [4, joined(2, 10)],
  [5, banned(1, 9)],
  [6, left(1, 10)],
  // The clock of another process: 10 joins again in the second before it left.
  [5, joined(1, 10)],
  [7, invited(second)],
  [8, uninvited(first, 1)],
  [9, banned(1, 12)],
  [10, { type: 'CustomCodeClaimed', data: { ...vain, guildId: home } }],
  [11, { type: 'CustomCodeReleased', data: { ...vain, guildId: home } }],
  [12, { type: 'CustomCodeClaimed', data: { ...vain, guildId: guild(2), claim: 2 } }],
]
const times = Array.from({ length: 14 }, (_none, second_) => after(second_))
const streams = new Map<StreamName, RecordedEvent[]>()

beforeAll(async () => {
  the = await world()
  const projector = await the.projector([historyProjection])
  for (const [second_, event] of happened) await projector.reached(await the.happensWith({ at: after(second_) }, event))
  for await (const page of the.store.readAll(beforeEverything))
    for (const event of page) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event])
  queries = { history: historyQueries(the.database, () => []) }
})
afterAll(() => the.close())

const statesAt = async (time: Timestamp | undefined, category: string) => {
  const named = [...streams.keys()].filter((stream) => categoryOf(stream) === category)
  const moment = time === undefined ? ({ by: 'end' } as const) : ({ by: 'time', time } as const)
  const reading = { events: the.store, revealed: nothingRevealed }
  return Promise.all(
    named.map(async (stream) => ({ stream, state: (await stateIfBegun(reading, stream, moment))?.state as never })),
  )
}
const withStatus = async (time: Timestamp | undefined, category: string, ...statuses: readonly string[]) =>
  (await statesAt(time, category))
    .filter(({ state }) => statuses.includes((state as { readonly status?: string } | undefined)?.status ?? ''))
    .map(({ stream }) => stream)
const ofHome = (found: readonly StreamName[]) => found.filter((stream) => stream.startsWith(`membership-${home}-`))

describe('the streams of a guild', () => {
  it.each(['member', 'banned', 'absent'] as const)(
    'that are %s are those that their events make so',
    async (status) => {
      for (const time of [undefined, ...times]) {
        const found = await membershipsThatAre(queries, home, status, { time })
        const expected = ofHome(await withStatus(time, 'membership', status))
        expect(found.streams.toSorted()).toEqual(expected.toSorted())
        expect(found.total_count).toBe(expected.length)
      }
    },
  )
  it('come in pages, in the order of account ids, and are counted in all', async () => {
    const page = (more: object) => membershipsThatAre(queries, home, 'member', { time: after(4), ...more })
    const named = [1, 9, 10, 11].map((one) => `membership-${home}-${account(one)}`)
    expect(await page({})).toEqual({ streams: named, total_count: 4 })
    expect(await page({ limit: 2 })).toEqual({ streams: named.slice(0, 2), total_count: 4 })
    expect(await page({ after: account(9), limit: 1 })).toEqual({ streams: [named[2]], total_count: 4 })
    expect(await page({ after: account(11) })).toEqual({ streams: [], total_count: 4 })
  })
  it('have its invites that were not deleted, and custom codes that it had, in the order in which they came to it', async () => {
    for (const time of [undefined, ...times]) {
      const expected = await withStatus(time, 'invite', 'created', 'custom')
      expect((await invitesThatStand(queries, home, time)).toSorted()).toEqual(expected.toSorted())
    }
    expect(await invitesThatStand(queries, home, undefined)).toEqual([`invite-${second.code}`, `invite-${vain.code}`])
    expect(await invitesThatStand(queries, guild(3), undefined)).toEqual([])
  })
  it('that changed between two times are at least those whose states differ, by the first event between them', async () => {
    for (const from of [undefined, ...times])
      for (const to of [undefined, ...times]) {
        if (from !== undefined && to !== undefined && from > to) continue
        const found = await streamsThatChanged(queries, home, { from, to })
        const positions = found.map(({ position }) => position)
        expect(positions).toEqual(positions.toSorted((one, other) => Number(one - other)))
        const before = from === undefined ? [] : await bothAt(from)
        const differing = (await bothAt(to)).filter(
          ({ stream, state }) =>
            JSON.stringify(before.find((one) => one.stream === stream)?.state) !== JSON.stringify(state),
        )
        const names = found.map(({ stream }) => stream)
        expect(names).toEqual(expect.arrayContaining(differing.map(({ stream }) => stream)))
        expect(names.length).toBe(new Set(names).size)
        for (const { stream, position } of found)
          expect(streams.get(stream)?.find(({ position: one }) => one === position)).toBeDefined()
      }
    expect(await streamsThatChanged(queries, home, { from: after(12), to: undefined })).toEqual([])
  })
  it('that changed are without those that have no event between the times after a position', async () => {
    for (const to of [undefined, ...times]) {
      const all = await streamsThatChanged(queries, home, { from: after(1), to })
      for (const position of all.map((one) => one.position)) {
        const found = await streamsThatChanged(queries, home, { from: after(1), to, after: position })
        const later = all.filter(({ stream }) =>
          streams.get(stream)?.some((event) => event.position > position && isBetween(event, stream, to)),
        )
        expect(found).toEqual(later)
      }
    }
  })
})

/** Whether neither an event nor one before it in its stream is after a time. */
function isBetween(event: RecordedEvent, stream: StreamName, to: Timestamp | undefined): boolean {
  const before = streams.get(stream)?.filter(({ revision }) => revision <= event.revision) ?? []
  return event.metadata.at > after(1) && (to === undefined || before.every(({ metadata: { at } }) => at <= to))
}

describe('the search for events between two times', () => {
  it('finds those that a look at each finds, though some are out of order', async () => {
    const events = [...streams.values()].flat().toSorted((one, other) => Number(one.position - other.position))
    for (const since of [undefined, ...times])
      for (const until of [undefined, ...times]) {
        const between = events.filter(
          ({ metadata: { at } }) => (since === undefined || at >= since) && (until === undefined || at < until),
        )
        const found = await queries.history.search({ since, until }, { order: 'oldest', limit: 100 })
        expect(found.map(({ position }) => position)).toEqual(between.map(({ position }) => position))
      }
  })
  it('begins and ends at the right one of many, whose positions are not next to each other', async () => {
    const from = 1000n
    await the.database.pool.query(
      `insert into history.events (position, event_id, stream, revision, type, at, actor, correlation_id, causation_id)
       select $1::int8 + n * n, gen_random_uuid(), 'report-' || n, 0, 'Many', $2::timestamptz + n * interval '1 s', 'x', 'x', 'x'
       from generate_series(0, 4999) n`,
      [from.toString(), after(100)],
    )
    for (const number of [0, 1, 1500, 2500, 4998, 4999]) {
      const time = after(100 + number)
      const [first] = await queries.history.search({ types: ['Many'], since: time }, { order: 'oldest', limit: 1 })
      expect(first?.position).toBe(from + BigInt(number * number))
      const [last] = await queries.history.search({ types: ['Many'], until: time }, { order: 'newest', limit: 1 })
      expect(last?.position).toBe(number === 0 ? undefined : from + BigInt((number - 1) ** 2))
    }
    expect(await queries.history.search({ since: after(5100) }, { order: 'oldest', limit: 1 })).toEqual([])
  })
})

async function bothAt(time: Timestamp | undefined) {
  const [members, invites] = [await statesAt(time, 'membership'), await statesAt(time, 'invite')]
  return [...members.filter(({ stream }) => ofHome([stream]).length > 0), ...invites]
}
