import type { Logger } from 'pino'
import { pause } from '../application/concurrency/pauses.js'
import { awayIn } from './server-away.js'

export interface WaitingSettings {
  readonly logger: Pick<Logger, 'warn'>
  /** Ends the wait. */
  readonly stopping: AbortSignal
}

const pause_ms = { min: 100, max: 2000 }

/**
 * Opens what depends on servers, again and again while one of them is away, and reports once for each server that it waits.
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
      const away = awayIn(error)
      if (away === undefined) throw error
      const reason = error instanceof Error ? error.message : String(error)
      if (!told.has(away)) logger.warn({ away, reason }, 'a server is away: waiting for it')
      told.add(away)
    }
    await pause(wait_ms, stopping)
  }
}
