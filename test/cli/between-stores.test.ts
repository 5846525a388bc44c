import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { beforeAll as beforeAllEvents } from '../../application/ports/event-store.js'
import { streamName } from '../../domain/streams.js'
import { collect } from '../contract/sample-events.js'
import { account, registered } from '../projections/support/people.js'
import { kindsOfEnd, openEnd, type End, type KindOfEnd } from './support/ends.js'
import { exported, imported, pieces } from './support/history-files.js'
import { happens, people, storedPeople } from './support/happenings.js'

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

describe.each(pairs)('a history that moves from %s to %s', (from, to) => {
  it('is the same there, and its personal data can be read if its keys came along', async () => {
    const personalDataKey = randomBytes(32)
    const [source, target] = [await open(from, personalDataKey), await open(to, personalDataKey)]
    await people(source.events, 60)
    // For consecutive events of one stream, one append and several have the same result.
    for (let again = 0; again < 3; again += 1)
      await happens(source.events, streamName('account', account(100 + again)), registered(100 + again))

    const file = await exported(source)
    expect(file).not.toMatch(/example\.org|argon2|1990-12-10/)
    expect(await imported({ stored: target.stored }, await exported({ stored: source.stored }))).toEqual({
      found: 0,
      written: 303,
    })
    expect(new Set(emailsOf(await historyOf(target)))).toEqual(new Set([null]))

    expect(await imported(target, file)).toEqual({ found: 303, written: 0 })
    const history = await historyOf(source)
    expect(await historyOf(target)).toEqual(history)
    expect(emailsOf(history)).toContain('user60@example.org')
    expect(contentOf(await exported(target))).toEqual(contentOf(file))
    if (target.stored.keepsPositions && source.stored.keepsPositions)
      expect(await collect(target.events.readAll(beforeAllEvents))).toEqual(
        await collect(source.events.readAll(beforeAllEvents)),
      )
  })

  it('can be interrupted anywhere and come in parts, with nothing lost and nothing doubled', async () => {
    const [source, target] = [await open(from), await open(to)]
    // A block of 1000 events, and another one, in which the import breaks off.
    await storedPeople(source.stored, source.sealing, 240)
    const whole = await exported({ stored: source.stored })
    const end = await source.stored.end()
    await expect(imported({ stored: target.stored }, pieces(whole, whole.length * 0.9))).rejects.toThrow('broke')
    const there = (await historyOf(target)).length
    expect(there).toBeGreaterThan(0)
    expect(there).toBeLessThan(1200)
    expect(await imported({ stored: target.stored }, whole)).toEqual({ found: there, written: 1200 - there })

    await people(source.events, 5, 900)
    const later = await exported({ stored: source.stored }, end)
    expect(await imported({ stored: target.stored }, later)).toEqual({ found: 0, written: 25 })
    expect(await imported({ stored: target.stored }, later)).toEqual({ found: 25, written: 0 })
    expect(contentOf(await exported({ stored: target.stored }))).toEqual(
      contentOf(await exported({ stored: source.stored })),
    )
  })

  it('is refused by a store that contains another history, or has continued by itself', async () => {
    const [source, target] = [await open(from), await open(to)]
    await people(source.events, 3)
    const first = await exported({ stored: source.stored })
    await imported({ stored: target.stored }, first)
    await happens(target.events, streamName('account', account(77)), registered(77))
    await people(source.events, 1, 4)
    const longer = await exported({ stored: source.stored })
    await expect(imported({ stored: target.stored }, longer)).rejects.toThrow('does not continue what this store holds')
    expect(await historyOf(target)).toHaveLength(16)

    const other = await open(to)
    await people(other.events, 1)
    await expect(imported({ stored: other.stored }, longer)).rejects.toThrow('another history')
    expect(await historyOf(other)).toHaveLength(5)
  })
})
