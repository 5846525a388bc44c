import { collectDefaultMetrics, Registry } from 'prom-client'

/** A registry with the metrics of the process: CPU, memory, event loop lag, garbage collection. Others add theirs. */
export function openMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}
