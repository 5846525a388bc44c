import { openDatabase, type PostgresConnection } from '../../adapters/postgres/database.ts'
import { postgresLocks } from '../../adapters/locks/postgres-locks.ts'
import { electorOn } from '../../application/concurrency/elector.ts'
import type { Locks } from '../../application/ports/locks.ts'
import { report } from '../commands/beside.ts'

/** The locks of an instance for a command, which connects only while it holds one. */
export function operatorLocks(connection: PostgresConnection): Locks {
  return {
    async holding(key, act) {
      const database = openDatabase(connection, { connections_max: 2, holdsLocks: true, onError: report })
      try {
        return await postgresLocks({ elector: electorOn(database.pool) }).holding(key, act)
      } finally {
        await database.close()
      }
    },
  }
}
