import type { Logger } from 'pino'
import { FolderInUse } from '../adapters/postgres/embedded/error.ts'
import { pause } from '../application/concurrency/pauses.ts'
import { awayIn } from '../process/server-away.ts'

export interface WaitingSettings {
  readonly logger: Pick<Logger, 'warn'>
  /** Ends the wait. */
  readonly stopping: AbortSignal
}

const inUseText = 'another process serves this data folder: waiting until it ends'
const pause_ms = { min: 100, max: 2000 }

/**
 * Opens what depends on servers, again and again while one of them is away or another process of the product has the data folder,
 * and reports once for each of them that it waits.
 * `open` must leave nothing open if it rejects. Rejects with errors that do not pass by waiting, and with the signal's reason
 * once that aborts.
 */
export async function waitForServers<Opened>(
  open: () => Promise<Opened>,
  { logger, stopping }: WaitingSettings,
): Promise<Opened> {
  const told = new Set<string>()
  for (let wait_ms = pause_ms.min; ; wait_ms = Math.min(wait_ms * 2, pause_ms.max)) {
    stopping.throwIfAborted()
    try {
      return await open()
    } catch (error) {
      const away = error instanceof FolderInUse ? 'DATA_DIR' : awayIn(error)
      if (away === undefined) throw error
      const reason = error instanceof Error ? error.message : String(error)
      const what = error instanceof FolderInUse ? inUseText : 'a server is away: waiting for it'
      if (!told.has(away)) logger.warn({ away, reason }, what)
      told.add(away)
    }
    await pause(wait_ms, stopping)
  }
}
