import { expect } from 'vitest'
import type { Follower } from '../../../adapters/followers/follow-alone.ts'
import { openDatabase, type PostgresDatabase } from '../../../adapters/postgres/database.ts'
import { metadataOf } from '../../../application/commands/command-context.ts'
import { noStream } from '../../../domain/kernel/position.ts'
import { streamName } from '../../../domain/streams.ts'
import { memoryEventStore, type MemoryEventStore } from '../../support/memory/memory-event-store.ts'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'
import { testContext } from '../../support/test-context.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'

/** A place for followers, and what they note in it. */
export interface FollowerScene {
  readonly test: TestDatabase
  /** Its connections hold the locks of followers. */
  readonly locks: PostgresDatabase
  readonly store: MemoryEventStore
  readonly handled: string[]
  readonly errors: unknown[]
  /** What stops with the scene. */
  readonly followers: Follower[]
  close(): Promise<void>
}

export async function openFollowerScene(): Promise<FollowerScene> {
  const test = await migratedDatabase()
  const locks = openDatabase(test.connection, { holdsLocks: true })
  const store = memoryEventStore({ keys: memoryPersonalDataKeys() })
  const followers: Follower[] = []
  return {
    test,
    locks,
    store,
    handled: [],
    errors: [],
    followers,
    async close() {
      for (const follower of followers) await follower.stop()
      await locks.close()
      await test.close()
    },
  }
}

/** Appends the first event of a new stream, with the id in its data. */
export async function happens(
  { store }: Pick<FollowerScene, 'store'>,
  id: string,
  type: 'MemberLeft' | 'HandleClaimed' = 'MemberLeft',
): Promise<string> {
  const stream = type === 'MemberLeft' ? streamName('membership', `1-${id}`) : streamName('handle', `name${id}`)
  const data =
    type === 'MemberLeft' ? { guildId: '1', accountId: id } : { username: `name${id}`, discriminator: 1, accountId: id }
  await store.append(stream, noStream, [{ type, data, metadata: metadataOf(testContext(), stream, 'test', 0) }])
  return id
}

/** Resolves when a process follows under that name. */
export async function followed({ test }: Pick<FollowerScene, 'test'>, name = 'test'): Promise<void> {
  const known = async () => {
    const { rows } = await test.database.pool.query('select from followers.checkpoints where name = $1', [name])
    return rows.length
  }
  await expect.poll(known).toBe(1)
}
