import type { PostgresConnection } from '../../adapters/postgres/database.js'
import { joinPostgres } from '../postgres.js'
import { personalDataKey } from '../personal-data-key.js'
import { readSettings } from '../settings.js'
import { openStore, type Store } from '../store.js'

/** Runs a command on the history of an instance, beside a server that may be running on it. */
export async function besideServer<Result>(
  task: (store: Store, connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  const settings = readSettings(process.env)
  const postgres = await joinPostgres(settings)
  try {
    const key = await personalDataKey(settings.personalDataKey, settings.dataDir)
    const { eventStoreUrl } = settings
    const store = await openStore({
      connection: postgres.connection,
      personalDataKey: key,
      eventStoreUrl,
      onError: report,
    })
    try {
      return await task(store, postgres.connection)
    } finally {
      await store.close()
    }
  } finally {
    await postgres.stop()
  }
}

export function report(error: unknown): void {
  console.error(error instanceof Error ? error.message : String(error))
}
