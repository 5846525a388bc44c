import { Counter, Gauge, type Registry } from 'prom-client'
import type { Operation } from '../../operation.ts'
import { requestQueue, type QueueBounds, type RequestQueue } from './request-queue.ts'

/**
 * Three kinds of requests wait separately, so that a hanging kind does not block the others: reads continue while an event
 * store holds up every write, and writes continue while hundreds register or sign in (arrivals), which takes a password hash or
 * another server. Requests that are not operations (health, images, pages) wait in no queue.
 */
export const queueNames = ['reads', 'writes', 'arrivals'] as const
export type QueueName = (typeof queueNames)[number]

/** Where requests to an operation wait. */
export function queueOf({ method, callers }: Pick<Operation, 'method' | 'callers'>): QueueName {
  if (method === 'GET') return 'reads'
  return callers.kind === 'public' ? 'arrivals' : 'writes'
}

export interface RequestQueues extends Readonly<Record<QueueName, RequestQueue>> {
  close(): void
}

/** Makes the queues, and adds their metrics to a registry. `onShed` is called for each request that is shed. */
export function requestQueues(
  bounds: QueueBounds,
  registry: Registry,
  onShed: (queue: QueueName) => void,
): RequestQueues {
  const shed = new Counter({
    name: 'guildhall_http_requests_shed_total',
    help: 'Requests that were refused because they had waited too long for their turn.',
    labelNames: ['line'] as const,
    registers: [registry],
  })
  const open = (name: QueueName): RequestQueue =>
    requestQueue(bounds, () => {
      shed.inc({ line: name })
      onShed(name)
    })
  const queues = { reads: open('reads'), writes: open('writes'), arrivals: open('arrivals') }
  new Gauge({
    name: 'guildhall_http_requests_waiting',
    help: 'Requests that wait for their turn right now.',
    labelNames: ['line'] as const,
    registers: [registry],
    collect() {
      for (const queue of queueNames) this.set({ line: queue }, queues[queue].waiting)
    },
  })
  return {
    ...queues,
    close() {
      for (const queue of queueNames) queues[queue].close()
    },
  }
}
