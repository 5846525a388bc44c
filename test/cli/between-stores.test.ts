import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { beforeAll as beforeAllEvents } from '../../domain/kernel/position.ts'
import { streamName } from '../../domain/streams.ts'
import { collect } from '../contract/sample-events.ts'
import { account, registered } from '../projections/support/people.ts'
import { kindsOfEnd, openEnd, type End, type KindOfEnd } from './support/ends.ts'
import { exported, imported, pieces } from './support/history-files.ts'
import { happens, people, storedPeople } from './support/happenings.ts'

const pairs = kindsOfEnd.flatMap((from) => kindsOfEnd.map((to) => [from, to] as const))

const opened: End[] = []
afterEach(() => Promise.all(opened.splice(0).map((end) => end.close())))

async function open(kind: KindOfEnd, personalDataKey: Uint8Array = randomBytes(32)): Promise<End> {
  const end = await openEnd(kind, personalDataKey)
  opened.push(end)
  return end
}

/** Everything that a store contains as its readers see it, without positions. */
async function historyOf({ events }: End): Promise<readonly object[]> {
  const all = await collect(events.readAll(beforeAllEvents))
  return all.map(({ position: _, ...event }) => event)
}

const emailsOf = (history: readonly object[]): readonly unknown[] =>
  history.flatMap((event) =>
    'data' in event && isRecord(event.data) && 'email' in event.data ? [event.data.email] : [],
  )
const isRecord = (data: unknown): data is object => typeof data === 'object' && data !== null

/** The lines of a file that contain events and keys, without positions. */
const contentOf = (file: string): readonly unknown[] =>
  file
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ kind }) => kind === 'event' || kind === 'key')
    .map(({ position: _, ...rest }) => rest)

/** Prepares something once for each kind of store that a history comes from, for all kinds that it goes to. */
function onceForEachKind<Prepared>(prepare: (from: KindOfEnd) => Promise<Prepared>) {
  const prepared = new Map<KindOfEnd, Promise<Prepared>>()
  return (from: KindOfEnd): Promise<Prepared> => {
    const already = prepared.get(from) ?? prepare(from)
    prepared.set(from, already)
    return already
  }
}

const sources: End[] = []
afterAll(() => Promise.all(sources.splice(0).map((end) => end.close())))

async function openSource(kind: KindOfEnd, personalDataKey: Uint8Array): Promise<End> {
  const end = await openEnd(kind, personalDataKey)
  sources.push(end)
  return end
}

const peopled = onceForEachKind(async (from) => {
  const personalDataKey = randomBytes(32)
  const source = await openSource(from, personalDataKey)
  await people(source.events, 20)
  // For consecutive events of one stream, one append and several have the same result.
  for (let again = 0; again < 3; again += 1)
    await happens(source.events, streamName('account', account(100 + again)), registered(100 + again))
  return { source, personalDataKey, file: await exported(source), plain: await exported({ stored: source.stored }) }
})

/** A block of 1000 events, and another one, in which an import breaks off; and what came later. */
const inBlocks = onceForEachKind(async (from) => {
  const source = await openSource(from, randomBytes(32))
  await storedPeople(source.stored, source.sealing, 240)
  const whole = await exported({ stored: source.stored })
  const end = await source.stored.end()
  await people(source.events, 5, 900)
  const later = await exported({ stored: source.stored }, end)
  return { whole, later, all: await exported({ stored: source.stored }) }
})

const continued = onceForEachKind(async (from) => {
  const source = await openSource(from, randomBytes(32))
  await people(source.events, 3)
  const first = await exported({ stored: source.stored })
  await people(source.events, 1, 4)
  return { first, longer: await exported({ stored: source.stored }) }
})

describe.each(pairs)('a history that moves from %s to %s', (from, to) => {
  it('is the same there, and its personal data can be read if its keys came along', async () => {
    const { source, personalDataKey, file, plain } = await peopled(from)
    const target = await open(to, personalDataKey)
    expect(file).not.toMatch(/example\.org|argon2|1990-12-10/)
    expect(await imported({ stored: target.stored }, plain)).toEqual({ found: 0, written: 103 })
    expect(new Set(emailsOf(await historyOf(target)))).toEqual(new Set([null]))

    expect(await imported(target, file)).toEqual({ found: 103, written: 0 })
    const history = await historyOf(source)
    expect(await historyOf(target)).toEqual(history)
    expect(emailsOf(history)).toContain('user20@example.org')
    expect(contentOf(await exported(target))).toEqual(contentOf(file))
    if (target.stored.keepsPositions && source.stored.keepsPositions)
      expect(await collect(target.events.readAll(beforeAllEvents))).toEqual(
        await collect(source.events.readAll(beforeAllEvents)),
      )
  })

  it('can be interrupted anywhere and come in parts, with nothing lost and nothing doubled', async () => {
    const { whole, later, all } = await inBlocks(from)
    const target = await open(to)
    await expect(imported({ stored: target.stored }, pieces(whole, whole.length * 0.9))).rejects.toThrow('broke')
    const there = (await historyOf(target)).length
    expect(there).toBeGreaterThan(0)
    expect(there).toBeLessThan(1200)
    expect(await imported({ stored: target.stored }, whole)).toEqual({ found: there, written: 1200 - there })

    expect(await imported({ stored: target.stored }, later)).toEqual({ found: 0, written: 25 })
    expect(await imported({ stored: target.stored }, later)).toEqual({ found: 25, written: 0 })
    expect(contentOf(await exported({ stored: target.stored }))).toEqual(contentOf(all))
  })

  it('is refused by a store that contains another history, or has continued by itself', async () => {
    const { first, longer } = await continued(from)
    const target = await open(to)
    await imported({ stored: target.stored }, first)
    await happens(target.events, streamName('account', account(77)), registered(77))
    await expect(imported({ stored: target.stored }, longer)).rejects.toThrow('does not continue what this store holds')
    expect(await historyOf(target)).toHaveLength(16)

    const other = await open(to)
    await people(other.events, 1)
    await expect(imported({ stored: other.stored }, longer)).rejects.toThrow('another history')
    expect(await historyOf(other)).toHaveLength(5)
  })
})
