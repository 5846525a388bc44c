import { collectDefaultMetrics, Registry } from 'prom-client'

let known: Registry | undefined

/**
 * The metrics of the process: CPU, memory, event loop lag, garbage collection. Their collectors never stop and keep their
 * registry alive, so they are started once, however many servers a process opens one after another.
 */
function processMetrics(): Registry {
  if (known) return known
  known = new Registry()
  collectDefaultMetrics({ register: known })
  return known
}

/** A new registry with the metrics of the process. Callers add their own. */
export function openMetrics(): Registry {
  return Registry.merge([processMetrics()])
}
