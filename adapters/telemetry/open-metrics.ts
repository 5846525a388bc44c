import { collectDefaultMetrics, Registry } from 'prom-client'

let known: Registry | undefined

/**
 * The metrics of the process: CPU, memory, event loop lag, garbage collection. What measures them never stops and keeps its
 * registry alive, so it is started once, however many servers a process opens one after another.
 */
function processMetrics(): Registry {
  if (known) return known
  known = new Registry()
  collectDefaultMetrics({ register: known })
  return known
}

/** A new registry with the metrics of the process. Others add theirs. */
export function openMetrics(): Registry {
  return Registry.merge([processMetrics()])
}
