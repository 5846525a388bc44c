import type { PostgresConnection } from '../../adapters/postgres/database.js'
import { copyAge_ms_max } from '../../application/caches/refreshed-copy.js'
import { readModels } from '../../projections/read-models.js'
import { pause } from '../../application/concurrency/pauses.js'
import { hearPublished, publishedWait_s_max, type PublishedPositions } from '../../projections/runner/published.js'
import type { Store } from '../store.js'
import { besideServer, report } from './beside.js'

export interface ChangeOptions {
  readonly print: (line: string) => void
  /** Whether servers keep a copy of what is changed, and look for a newer one every `copyAge_ms_max`: then twice as long is waited. */
  readonly isCopied?: boolean
}

/**
 * Runs a command that writes to the history of an instance, beside a server that may be running on it. Resolves once that server
 * heeds what was written: the read models hold it and the process that projects has published it. After `publishedWait_s_max` it
 * prints that the server is late, and resolves all the same: what was written stands in history. Without a server that
 * projects there is nothing to wait for. Rejects as the task does, without waiting.
 */
export function changeBesideServer<Result>(
  options: ChangeOptions,
  task: (store: Store, connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  return besideServer(async (store, connection) => {
    // Before the first event is written, so that no announcement is missed.
    const published = await hearPublished({ pool: store.database.pool, projections: readModels, onError: report })
    try {
      const result = await task(store, connection)
      if (await published.isLed()) await heeded(store, published, options)
      return result
    } finally {
      await published.close()
    }
  })
}

async function heeded(
  { events }: Pick<Store, 'events'>,
  published: PublishedPositions,
  { print, isCopied = false }: ChangeOptions,
): Promise<void> {
  if (!(await published.reached(await events.end()))) return print(late)
  if (isCopied) await pause(newCopies_ms, new AbortController().signal)
}

/** A server begins to look for what is new within the age of its copy, and has read it within as long again. */
const newCopies_ms = 2 * copyAge_ms_max

const late = `The running server has not taken this up within ${publishedWait_s_max} s. It is written, and counts as soon as the server has read it: guildhall projections prints how far it is.`
