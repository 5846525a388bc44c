import { noteInstanceKey } from '../../adapters/personal-data/instance-key.ts'
import type { PostgresConnection } from '../../adapters/postgres/database.ts'
import { joinPostgres } from '../postgres.ts'
import { instanceKey } from '../instance-key.ts'
import { readSettings } from '../../process/settings/settings.ts'
import { openStore, type Store } from '../../process/store.ts'
import { locationOf, refuseEmptyDatabase, refuseEmptyFolder } from './instance-there.ts'

export interface BesideOptions {
  /** Whether the command may make an instance where none is. */
  readonly makesInstance?: boolean
  /** Called with errors of the store outside the task. Default: says them. */
  readonly onError?: (error: unknown) => void
}

/**
 * Runs a command on the history of an instance, beside a server that may be running on it, and says on standard error which
 * instance that is. Rejects with NoInstance where there is none.
 */
export async function besideServer<Result>(
  task: (store: Store, connection: PostgresConnection) => Promise<Result>,
  { makesInstance = false, onError = report }: BesideOptions = {},
): Promise<Result> {
  const settings = readSettings(process.env)
  if (!makesInstance) refuseEmptyFolder(settings)
  const postgres = await joinPostgres(settings)
  try {
    if (!makesInstance) await refuseEmptyDatabase(settings, postgres.connection)
    console.error(`Instance: ${locationOf(settings)}`)
    const key = await instanceKey(settings, postgres.connection)
    const { eventStoreUrl } = settings
    const store = await openStore({
      connection: postgres.connection,
      personalDataKey: key,
      eventStoreUrl,
      onError,
    })
    try {
      await noteInstanceKey(store.database, key)
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
