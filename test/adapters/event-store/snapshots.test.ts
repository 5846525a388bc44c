import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memorySnapshots } from '../../support/memory/memory-snapshots.ts'
import { openPostgresSnapshots } from '../../../adapters/event-store/postgres/open-snapshots.ts'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'
import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.ts'
import type { SnapshotStore } from '../../../application/ports/snapshots.ts'
import { streamName } from '../../../domain/streams.ts'
import { accountStream, anyAccount, anyStream } from '../../contract/sample-events.ts'
import { migratedDatabase } from '../../support/test-database.ts'

interface OpenSnapshots {
  readonly snapshots: SnapshotStore
  readonly keys: PersonalDataKeys
  readonly unreadable: unknown[]
  readonly storedText: () => Promise<string>
  /** Replaces every state that is stored. */
  readonly tamper: (json: string) => Promise<void>
  readonly close: () => Promise<void>
}

async function inMemory(): Promise<OpenSnapshots> {
  const keys = memoryPersonalDataKeys()
  const unreadable: unknown[] = []
  const snapshots = memorySnapshots({ keys, onUnreadable: (_, error) => unreadable.push(error) })
  return {
    snapshots,
    keys,
    unreadable,
    storedText: async () => JSON.stringify([...snapshots.rows]),
    tamper: async (state) => snapshots.rows.forEach((row, stream) => snapshots.rows.set(stream, { ...row, state })),
    close: async () => undefined,
  }
}

async function onPostgres(): Promise<OpenSnapshots> {
  const test = await migratedDatabase()
  const { database } = test
  const keys = memoryPersonalDataKeys()
  const unreadable: unknown[] = []
  const snapshots = openPostgresSnapshots({ database, keys, onUnreadable: (_, error) => unreadable.push(error) })
  return {
    snapshots,
    keys,
    unreadable,
    storedText: async () => JSON.stringify((await database.pool.query('select * from event_store.snapshots')).rows),
    tamper: async (state) =>
      void (await database.pool.query('update event_store.snapshots set state = $1::jsonb', [state])),
    close: () => test.close(),
  }
}

describe.each([
  ['in memory', inMemory],
  ['on Postgres', onPostgres],
])('snapshots %s', (_, open) => {
  let opened: OpenSnapshots
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.close())

  it('give back the latest state that was saved', async () => {
    const { snapshots } = opened
    const stream = anyStream()
    expect(await snapshots.load(stream, 1)).toBeUndefined()
    for (const revision of [199, 399])
      await snapshots.save(stream, 1, { revision, state: { status: 'created', uses: revision } })
    expect(await snapshots.load(stream, 1)).toEqual({ revision: 399, state: { status: 'created', uses: 399 } })
    expect(await snapshots.load(anyStream(), 1)).toBeUndefined()
  })

  it('of another version of the state are not given', async () => {
    const { snapshots } = opened
    const stream = anyStream()
    await snapshots.save(stream, 2, { revision: 199, state: {} })
    expect(await snapshots.load(stream, 1)).toBeUndefined()
    expect(await snapshots.load(stream, 3)).toBeUndefined()
    expect(await snapshots.load(stream, 2)).toBeDefined()
  })

  it('are not kept of what is personal to two accounts, since neither’s key would do', async () => {
    const { snapshots, storedText } = opened
    const stream = streamName('relationship', '100001-100002')
    await snapshots.save(stream, 1, { revision: 199, state: { nickname: 'Countess' } })
    expect(await snapshots.load(stream, 1)).toBeUndefined()
    expect(await storedText()).not.toContain('relationship')
  })

  it('are not replaced by older ones, nor by those of an older version', async () => {
    const { snapshots } = opened
    const stream = anyStream()
    await snapshots.save(stream, 2, { revision: 399, state: 'newest' })
    await snapshots.save(stream, 2, { revision: 199, state: 'older' })
    await snapshots.save(stream, 1, { revision: 599, state: 'of an older version' })
    expect(await snapshots.load(stream, 2)).toEqual({ revision: 399, state: 'newest' })
    await snapshots.save(stream, 3, { revision: 1, state: 'of a newer version' })
    expect(await snapshots.load(stream, 3)).toEqual({ revision: 1, state: 'of a newer version' })
  })

  it('with personal data are stored sealed, and gone with the key', async () => {
    const { snapshots, keys, storedText } = opened
    const account = anyAccount()
    const stream = accountStream(account)
    await snapshots.save(stream, 1, { revision: 199, state: { email: 'ada@example.org' } })
    expect(await storedText()).toContain('$sealed')
    expect(await storedText()).not.toContain('ada@')
    expect(await snapshots.load(stream, 1)).toEqual({ revision: 199, state: { email: 'ada@example.org' } })
    await keys.destroy(account)
    expect(await snapshots.load(stream, 1)).toBeUndefined()
    await snapshots.save(stream, 1, { revision: 399, state: { email: 'ada@example.org' } })
    expect(await snapshots.load(stream, 1)).toBeUndefined()
  })

  it('are forgotten, whatever their version, and no others are', async () => {
    const { snapshots } = opened
    const [forgotten, other] = [anyStream(), anyStream()]
    for (const stream of [forgotten, other]) await snapshots.save(stream, 2, { revision: 199, state: {} })
    await snapshots.forget(forgotten)
    expect(await snapshots.load(forgotten, 2)).toBeUndefined()
    expect(await snapshots.load(other, 2)).toBeDefined()
    await snapshots.forget(forgotten)
  })

  it('that can not be read are as good as none', async () => {
    const { snapshots, tamper, unreadable } = opened
    const stream = accountStream(anyAccount())
    await snapshots.save(stream, 1, { revision: 199, state: { email: 'ada@example.org' } })
    for (const broken of ['{"email":"not sealed"}', '{"$sealed":"v1.AAAA"}', '{"$sealed":"v9."}', 'null']) {
      await tamper(broken)
      expect(await snapshots.load(stream, 1)).toBeUndefined()
    }
    expect(unreadable).toHaveLength(4)
  })
})
