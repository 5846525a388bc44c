import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryEventStore, type MemoryEventStore } from '../../support/memory/memory-event-store.js'
import { followAlone, tries_max, type Follower } from '../../../adapters/followers/follow-alone.js'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.js'
import { noStream, type RecordedEvent } from '../../../application/ports/event-store.js'
import { ReadModelsBehind } from '../../../application/ports/read-models.js'
import { metadataOf } from '../../../application/commands/command-context.js'
import { streamName } from '../../../domain/streams.js'
import { testContext } from '../../support/test-context.js'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.js'

let test: TestDatabase
let store: MemoryEventStore
let handled: string[]
let errors: unknown[]
let followers: Follower[]
let count = 0

beforeEach(async () => {
  test = await migratedDatabase()
  store = memoryEventStore({ keys: memoryPersonalDataKeys() })
  handled = []
  errors = []
  followers = []
})
afterEach(async () => {
  for (const follower of followers) await follower.stop()
  await test.close()
})

/** Appends the first event of a new stream. */
async function happens(type: 'MemberLeft' | 'HandleClaimed' = 'MemberLeft'): Promise<string> {
  count += 1
  const id = String(count)
  const stream = type === 'MemberLeft' ? streamName('membership', `1-${id}`) : streamName('handle', `name${id}`)
  const data =
    type === 'MemberLeft' ? { guildId: '1', accountId: id } : { username: `name${id}`, discriminator: 1, accountId: id }
  await store.append(stream, noStream, [{ type, data, metadata: metadataOf(testContext(), stream, 'test', 0) }])
  return id
}

async function follow(
  handle = async (id: string): Promise<void> => void handled.push(id),
  name = 'test',
): Promise<Follower> {
  const follower = followAlone({
    name,
    pool: test.database.pool,
    store,
    isMeant: ({ type }) => type === 'MemberLeft',
    handle: ({ data }: RecordedEvent) => handle(String(Reflect.get(data, 'accountId'))),
    onError: (error) => errors.push(error),
    standby_ms: 50,
  })
  followers.push(follower)
  return follower
}
/** Resolves when a process follows under that name. */
async function followed(name = 'test'): Promise<void> {
  const known = async () => {
    const { rows } = await test.database.pool.query('select from followers.checkpoints where name = $1', [name])
    return rows.length
  }
  await expect.poll(known).toBe(1)
}

describe('a follower', () => {
  it('begins at the end of the store if nobody ever followed, and gets its events in order', async () => {
    await happens()
    await follow()
    await followed()
    const ids = [await happens(), await happens(), await happens()]
    await happens('HandleClaimed')
    await expect.poll(() => handled).toStrictEqual(ids)
    expect(errors).toStrictEqual([])
  })

  it('continues from the last one under its name', async () => {
    const first = await follow()
    await followed()
    const before = await happens()
    await expect.poll(() => handled).toStrictEqual([before])
    await first.stop()
    const meanwhile = await happens()
    await follow()
    await expect.poll(() => handled).toStrictEqual([before, meanwhile])
  })

  it('is one of several under one name, and another takes over when it ends', async () => {
    const seen: string[] = []
    const first = await follow(async () => void seen.push('first'))
    await followed()
    await follow(async () => void seen.push('second'))
    await happens()
    await happens()
    await expect.poll(() => seen).toStrictEqual(['first', 'first'])
    await first.stop()
    await happens()
    await expect.poll(() => seen).toStrictEqual(['first', 'first', 'second'])
  })

  it('gets again what it could not handle, and skips it in the end', async () => {
    let failures = 0
    await follow(async (id) => {
      if (id === poison) {
        failures += 1
        throw new Error('not yet')
      }
      handled.push(id)
    })
    await followed()
    const poison = await happens()
    const next = await happens()
    await expect.poll(() => handled).toStrictEqual([next])
    expect(failures).toBe(tries_max)
    expect(errors).toHaveLength(tries_max)
  })

  it('skips nothing if the fault is that something is unavailable', async () => {
    let outages = 0
    await follow(async (id) => {
      if (outages <= tries_max) {
        outages += 1
        throw new ReadModelsBehind('not there yet')
      }
      handled.push(id)
    })
    await followed()
    const id = await happens()
    await expect.poll(() => handled).toStrictEqual([id])
    expect(errors).toHaveLength(tries_max + 1)
  })

  it('does not depend on one under another name', async () => {
    await follow(async (id) => void handled.push(`one ${id}`), 'one')
    await follow(async (id) => void handled.push(`two ${id}`), 'two')
    await followed('one')
    await followed('two')
    const id = await happens()
    await expect.poll(() => handled.toSorted()).toStrictEqual([`one ${id}`, `two ${id}`])
  })
})
