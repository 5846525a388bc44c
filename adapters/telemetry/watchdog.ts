import type { Logger } from 'pino'
import { Histogram, type Registry } from 'prom-client'
import { watchWork, type Doings } from '../../application/observation/at-work.ts'

export interface WatchdogSettings {
  readonly registry: Registry
  readonly logger: Pick<Logger, 'warn'>
}

/** How long the event loop may be blocked, in milliseconds, before it is reported. */
export const stood_ms_max = 200
const look_ms = 25
const tellEvery_ms = 1000
const named_max = 10
const buckets_seconds = [0.2, 0.5, 1, 2, 5, 10, 30]
/** The name for unnamed causes: garbage collection, a busy machine, work that was not marked. */
export const unknownWork = 'unknown'

/**
 * Watches the event loop until the returned function is called. If it was blocked for over `stood_ms_max`, the metrics count it
 * by the work that ran, and the log gets a line, at most one a second. The report follows once the loop runs again (decision
 * 54).
 */
export function startWatchdog({ registry, logger }: WatchdogSettings): () => void {
  const stood = stoodMetric(registry)
  const watch = watchWork()
  let looked_ms = performance.now()
  let told_ms = -Infinity
  let untold = 0

  function look(): void {
    const now = performance.now()
    const stood_ms = now - looked_ms - look_ms
    looked_ms = now
    const doings = watch.look()
    if (stood_ms <= stood_ms_max) return
    const atWork = nameOf(doings, stood_ms)
    stood.observe({ at_work: atWork }, stood_ms / 1000)
    if (now - told_ms < tellEvery_ms) {
      untold += 1
      return
    }
    told_ms = now
    logger.warn({ stood_ms: Math.round(stood_ms), atWork, ...details(doings), untold }, 'the event loop stood')
    untold = 0
  }

  const timer = setInterval(look, look_ms).unref()
  return () => {
    clearInterval(timer)
    watch.stop()
  }
}

/** Adds the metric of a blocked event loop to a registry. */
export function stoodMetric(registry: Registry) {
  return new Histogram({
    name: 'guildhall_event_loop_stood_seconds',
    help: `How long the event loop stood, where that was over ${stood_ms_max} ms, by what was at work.`,
    labelNames: ['at_work'] as const,
    buckets: buckets_seconds,
    registers: [registry],
  })
}

/** The work that took at least half of the time; otherwise the only work that was open, if there was just one. */
function nameOf({ longest, open }: Doings, stood_ms: number): string {
  if (longest && longest.took_ms >= stood_ms / 2) return longest.name
  const [only, ...others] = open
  return only !== undefined && others.length === 0 ? only : unknownWork
}

function details({ longest, open }: Doings) {
  return {
    longest: longest && { name: longest.name, took_ms: Math.round(longest.took_ms) },
    open: [...open].slice(0, named_max),
  }
}
