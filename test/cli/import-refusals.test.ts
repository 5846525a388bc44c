import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { memoryEventStore, type MemoryEventStore } from '../support/memory/memory-event-store.ts'
import { memoryPersonalDataKeys } from '../support/memory/memory-keys.ts'
import { streamName } from '../../domain/streams.ts'
import { account, registered } from '../projections/support/people.ts'
import type { Ended } from './support/command-process.ts'
import { checked, exported, imported, pieces, resealed, type Imported } from './support/history-files.ts'
import { happens, people } from './support/happenings.ts'
import { instance, type Instance } from './support/instance.ts'

type Line = Record<string, unknown>

let source: Instance
let target: Instance
let whole: string

async function openBoth(): Promise<void> {
  ;[source, target] = await Promise.all([instance(), instance()])
  await source.storePeople(20)
  whole = await exported({ stored: source.stored })
}
const closeBoth = () => Promise.all([source.close(), target.close()])

const importing = (file: string): Promise<Imported> => imported({ stored: target.stored }, file)

/** The command that imports a named file. */
async function importCommand(history: string): Promise<Ended> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gh-refused-'))
  const file = path.join(folder, 'history.jsonl')
  await writeFile(file, history)
  const ended = await target.guildhall(['import', file])
  await rm(folder, { recursive: true })
  return ended
}

/** The header is line 1, event n is line n + 1, and lines 102 and 103 are seals. */
const changed = (number: number, change: object) => (): string =>
  resealed(whole, (lines) => lines.map((line, index) => (index === number - 1 ? { ...line, ...change } : line)))
const swapped = (lines: Line[]): Line[] => [...lines.slice(0, 3), ...lines.slice(3, 5).toReversed(), ...lines.slice(5)]
const newerShape = {
  schemaVersion: 99,
  at: '2026-01-01T00:00:00.000Z',
  actor: { kind: 'system', name: 'test' },
  correlationId: 'a',
  causationId: 'b',
}

describe('a file is refused', () => {
  // Nothing is written there, as each of these tests checks.
  beforeAll(openBoth)
  afterAll(closeBoth)

  const withFaults: readonly (readonly [string, () => string, string])[] = [
    ['a byte of an event changed', () => whole.replace('User7', 'User8'), 'Line 102 of the file: the checksum'],
    ['two lines swapped', () => resealed(whole, swapped), 'does not come after'],
    ['an event left out', () => resealed(whole, (lines) => lines.toSpliced(3, 1)), 'it seals 100 lines'],
    ['a line that is no JSON', () => whole.replace('{"kind":"event","position":"3"', '{kind'), 'Line 4'],
    ['a member of another kind', changed(4, { revision: -1 }), 'revision: '],
    ['a newer version of the format', changed(1, { version: 2 }), 'version 2 of its format'],
    ['another format', () => '{"kind":"header","format":"other","version":1}\n', 'not the header'],
    ['nothing in it', () => '', 'nothing to import'],
    ['an event of a type that is not known here', changed(4, { type: 'Unheard' }), 'Unheard'],
    ['an event of a newer shape', changed(4, { metadata: newerShape }), 'version 99'],
  ]

  it.each(withFaults)('with %s, and nothing of it is written', async (_, file, reason) => {
    await expect(importing(file())).rejects.toThrow(reason)
    await expect(checked(file())).rejects.toThrow(reason)
    expect(await target.events()).toEqual([])
  })

  const withFaultsAtItsEnd: typeof withFaults = [
    ['its last line missing', () => whole.slice(0, whole.trimEnd().lastIndexOf('\n') + 1), 'no last line'],
    ['its last line cut', () => whole.slice(0, -10), 'not whole'],
    ['something after its end', () => `${whole}{}\n`, 'after its end'],
    ['a count that is wrong', changed(103, { events: 99 }), 'it counts 99 events'],
  ]

  it.each(withFaultsAtItsEnd)('with %s: a named one before anything is written', async (_, file, reason) => {
    await expect(checked(file())).rejects.toThrow(reason)
    const { stored, events, close } = await instance()
    onTestFinished(() => close())
    // In a stream the blocks before it were correct, and are kept: the import can be resumed.
    await expect(imported({ stored }, file())).rejects.toThrow(reason)
    expect(await events()).toHaveLength(100)
  })

  it('whose streams skip a revision or repeat an event id, even if its checksums are right', async () => {
    const [first] = await source.events()
    await expect(importing(changed(101, { revision: 7 })())).rejects.toThrow('Revision 7')
    await expect(importing(changed(101, { id: first?.metadata.eventId })())).rejects.toThrow("can't be stored")
    expect(await target.events()).toEqual([])
  })
})

describe('a store that contains something else', () => {
  beforeEach(openBoth)
  afterEach(closeBoth)

  it('accepts no file of another history, and says so', async () => {
    await people(target.store.events, 3)
    const before = await target.events()
    const { code, said } = await importCommand(whole)
    expect(code).toBe(1)
    expect(said).toContain('The file is of another history than this store')
    expect(await target.events()).toEqual(before)
  })

  it('accepts none if one of its own events follows those of the file', async () => {
    await importing(whole)
    await happens(target.store.events, streamName('account', account(99)), registered(99))
    const before = await target.events()
    await people(source.store.events, 1, 50)
    await expect(importing(await exported({ stored: source.stored }))).rejects.toThrow(
      'does not continue what this store holds',
    )
    await expect(importing(await exported({ stored: source.stored }, 100n))).rejects.toThrow(
      'does not continue what this store holds',
    )
    expect(await target.events()).toEqual(before)
  })

  it('accepts none if one of its own events differs, and says which', async () => {
    await importing(whole)
    await people(source.store.events, 1, 50)
    const longer = await exported({ stored: source.stored })
    await target.rows(`update event_store.events set metadata = metadata || '{"reason": "Eve"}' where position = 40`)
    await expect(importing(longer)).rejects.toThrow(/ at position 40 .*, with other content/)
    await target.rows(`update event_store.events set event_id = '${randomUUID()}' where position = 1`)
    await expect(importing(longer)).rejects.toThrow('another history')
    expect(await target.events()).toHaveLength(100)
  })

  it('accepts no keys that PERSONAL_DATA_KEY does not open, and no other keys for its accounts', async () => {
    const file = await exported(source)
    const other = await importCommand(file)
    expect(other.code).toBe(1)
    expect(other.said).toContain('another PERSONAL_DATA_KEY')
    expect(await target.events()).toEqual([])
    const same = await instance(source.store.personalDataKey)
    const key = await same.store.keys.keysFor([account(2)])
    await expect(imported(same, file)).rejects.toThrow(`Account ${account(2)} has another key here`)
    expect(await same.store.keys.existingKeys([account(2)])).toEqual(key)
    await same.close()
  })

  it('accepts nothing beside a server that projects', async () => {
    const projecting = await target.store.database.pool.connect()
    await projecting.query('select pg_advisory_lock(1195921997, 1)')
    const { code, said } = await importCommand(whole)
    projecting.release(true)
    expect(code).toBe(1)
    expect(said).toContain('A server projects here')
    expect(await target.events()).toEqual([])
  })
})

describe('a store that cannot choose positions', () => {
  beforeEach(openBoth)
  afterEach(closeBoth)

  const memory = (): MemoryEventStore => memoryEventStore({ keys: memoryPersonalDataKeys() })

  const withoutPositions = (file: string): readonly unknown[] =>
    file
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ kind }) => kind === 'event')
      .map(({ position: _, ...rest }) => rest)

  it('keeps the order, resumes, and gives the same history except for the positions', async () => {
    await source.storePeople(400, 100)
    whole = await exported({ stored: source.stored })
    const { stored } = memory()
    expect(stored.keepsPositions).toBe(false)
    await expect(imported({ stored }, pieces(whole, whole.length * 0.8))).rejects.toThrow('broke')
    expect(await imported({ stored }, whole)).toEqual({ found: 1000, written: 1100 })
    expect(withoutPositions(await exported({ stored }))).toEqual(withoutPositions(whole))
    await people(source.store.events, 1, 900)
    const later = await exported({ stored: source.stored }, 2100n)
    expect(await imported({ stored }, later)).toEqual({ found: 0, written: 5 })
    // And back into a store that can choose positions.
    expect(await importing(await exported({ stored }))).toEqual({ found: 0, written: 2105 })
  })

  it('also refuses a file that does not continue it', async () => {
    const { stored } = memory()
    await imported({ stored }, whole)
    await expect(imported({ stored }, changed(50, { data: { eve: true } })())).rejects.toThrow('with other content')
    const foreign = memory()
    await people(foreign, 1)
    await expect(imported({ stored: foreign.stored }, whole)).rejects.toThrow('another history')
  })
})
