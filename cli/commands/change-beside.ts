import type { PostgresConnection } from '../../adapters/postgres/database.ts'
import { copyAge_ms_max } from '../../application/caches/refreshed-copy.ts'
import { readModels } from '../../projections/read-models.ts'
import { pause } from '../../application/concurrency/pauses.ts'
import { hearPublished, publishedWait_s_max, type PublishedPositions } from '../../projections/runner/published.ts'
import type { Store } from '../../process/store.ts'
import { besideServer } from './beside.ts'

export interface ChangeOptions {
  readonly print: (line: string) => void
  /** Whether servers cache what is changed, and refresh it every `copyAge_ms_max`: then this waits twice as long. */
  readonly isCopied?: boolean
  /** Whether the command may make an instance where none is. */
  readonly makesInstance?: boolean
}

/**
 * Runs a command that writes to the history of an instance, beside a server that may be running on it. Resolves once that
 * server applies what was written: the read models hold it and the projecting process has published it. After
 * `publishedWait_s_max` it prints that the server is late, and resolves anyway: the change is in history. Without a projecting
 * server there is no wait. Rejects as the task does, without waiting.
 */
export function changeBesideServer<Result>(
  options: ChangeOptions,
  task: (store: Store, connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  return besideServer(async (store, connection) => {
    // Before the first event is written, so that no announcement is missed.
    const published = await hearPublished({
      pool: store.database.pool,
      notifier: store.notifier,
      projections: readModels,
    })
    try {
      const result = await task(store, connection)
      if (await published.isLed()) await heeded(store, published, options)
      return result
    } finally {
      published.close()
    }
  }, options)
}

async function heeded(
  { events }: Pick<Store, 'events'>,
  published: PublishedPositions,
  { print, isCopied = false }: ChangeOptions,
): Promise<void> {
  if (!(await published.reached(await events.end()))) return print(late)
  if (isCopied) await pause(newCopies_ms, new AbortController().signal)
}

/** A server starts to refresh its copy within the copy's age limit, and finishes within as long again. */
const newCopies_ms = 2 * copyAge_ms_max

const late = `The running server has not taken this up within ${publishedWait_s_max} s. It is written, and counts as soon as the server has read it: guildhall projections prints how far it is.`
