import type { Follower } from '../../../adapters/followers/follow-alone.js'
import { openDatabase, type PostgresDatabase } from '../../../adapters/postgres/database.js'
import { memoryEventStore, type MemoryEventStore } from '../../support/memory/memory-event-store.js'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.js'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.js'

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
