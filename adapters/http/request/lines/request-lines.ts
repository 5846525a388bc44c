import { Counter, Gauge, type Registry } from 'prom-client'
import type { Operation } from '../../operation.ts'
import { requestLine, type LineBounds, type RequestLine } from './request-line.ts'

/**
 * Three kinds of requests wait separately, so that a hanging kind does not block the others: reads continue while an event
 * store holds up every write, and writes continue while hundreds register or sign in (arrivals), which takes a password hash or
 * another server. Requests that are not operations (health, images, pages) wait in no line.
 */
export const lineNames = ['reads', 'writes', 'arrivals'] as const
export type LineName = (typeof lineNames)[number]

/** Where requests to an operation wait. */
export function lineOf({ method, callers }: Pick<Operation, 'method' | 'callers'>): LineName {
  if (method === 'GET') return 'reads'
  return callers.kind === 'public' ? 'arrivals' : 'writes'
}

export interface RequestLines extends Readonly<Record<LineName, RequestLine>> {
  close(): void
}

/** Makes the lines, and adds their metrics to a registry. `onShed` is called for each request that is shed. */
export function requestLines(bounds: LineBounds, registry: Registry, onShed: (line: LineName) => void): RequestLines {
  const shed = new Counter({
    name: 'guildhall_http_requests_shed_total',
    help: 'Requests that were refused because they had waited too long for their turn.',
    labelNames: ['line'] as const,
    registers: [registry],
  })
  const open = (name: LineName): RequestLine =>
    requestLine(bounds, () => {
      shed.inc({ line: name })
      onShed(name)
    })
  const lines = { reads: open('reads'), writes: open('writes'), arrivals: open('arrivals') }
  new Gauge({
    name: 'guildhall_http_requests_waiting',
    help: 'Requests that wait for their turn right now.',
    labelNames: ['line'] as const,
    registers: [registry],
    collect() {
      for (const line of lineNames) this.set({ line }, lines[line].waiting)
    },
  })
  return {
    ...lines,
    close() {
      for (const line of lineNames) lines[line].close()
    },
  }
}
