import { pause } from '../../../application/concurrency/pauses.ts'
import { EmbeddedPostgresError, reasonOf } from './error.ts'
import type { Server } from './server.ts'

/** How often a Postgres that ends by itself is started again. */
export interface RestartBounds {
  /** Starts within `window_ms`, including failed ones. There is no further start. */
  readonly restarts_max: number
  readonly window_ms: number
  /** The pause after a failed start. It doubles. */
  readonly pause_ms_min: number
  readonly pause_ms_max: number
}

/** If every start fails, as on a full disk, the last one is made 43 s after the first. */
export const restartBounds: RestartBounds = {
  restarts_max: 10,
  window_ms: 600_000,
  pause_ms_min: 100,
  pause_ms_max: 10_000,
}

export interface KeptRunning extends Pick<Server, 'stop'> {
  /** Resolves when Postgres has ended again and is not restarted any more. Otherwise never resolves. */
  readonly givenUp: Promise<EmbeddedPostgresError>
}

export interface KeepRunningSettings {
  readonly first: Server
  /** Starts it again, with the same connection settings. Rejects with EmbeddedPostgresError. */
  readonly start: () => Promise<Server>
  /** Called with a line for each unexpected end, and for each failed start. */
  readonly onDeath: (line: string) => void
  readonly bounds?: Partial<RestartBounds>
}

/** Restarts a server whenever it ends by itself, within the bounds. */
export function keepRunning({ first, start, onDeath, bounds: given }: KeepRunningSettings): KeptRunning {
  const bounds = { ...restartBounds, ...given }
  const stopping = new AbortController()
  const starts: number[] = []
  let server = first
  let isRunning = true

  function refusesAnother(): boolean {
    const now = performance.now()
    while ((starts[0] ?? now) < now - bounds.window_ms) starts.shift()
    return starts.length >= bounds.restarts_max
  }

  /** Resolves once it runs again, or with the last reason when the bound is reached. */
  async function startAgain(): Promise<string | undefined> {
    let pause_ms = bounds.pause_ms_min
    let reason = 'it ended each time'
    while (!stopping.signal.aborted) {
      if (refusesAnother()) return reason
      starts.push(performance.now())
      try {
        server = await start()
        isRunning = true
        return undefined
      } catch (error) {
        reason = reasonOf(error)
        onDeath(`Postgres does not start again yet: ${reason}`)
        await pause(pause_ms, stopping.signal)
        pause_ms = Math.min(pause_ms * 2, bounds.pause_ms_max)
      }
    }
    return undefined
  }

  async function watch(): Promise<EmbeddedPostgresError | undefined> {
    for (;;) {
      const status = await server.ended
      if (stopping.signal.aborted) return undefined
      isRunning = false
      onDeath(`Postgres ended by itself (status ${status}) and is started again`)
      const reason = await startAgain()
      if (stopping.signal.aborted) return undefined
      if (reason === undefined) continue
      const { restarts_max, window_ms } = bounds
      return new EmbeddedPostgresError(
        `The embedded Postgres ended by itself and was started again ${restarts_max} times within ${window_ms / 1000} s. ` +
          `It is not started any more: ${reason}`,
      )
    }
  }

  const watched = watch()
  return {
    givenUp: new Promise((resolve) => void watched.then((error) => error && resolve(error))),
    async stop() {
      stopping.abort()
      // A start under way is completed first: otherwise it would leave a Postgres behind.
      if (isRunning) await server.stop()
      await watched
      if (isRunning) await server.stop()
    },
  }
}
