import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ErrorCode } from '../../../domain/kernel/error-codes.ts'

/** The metrics that the HTTP server reports. */
export interface HttpMetrics {
  /** A request was answered, or its client disconnected first. */
  answered(operation: string, status: number, seconds: number): void
  /** A request was refused with a code. */
  refused(operation: string, code: ErrorCode): void
}

const duration_seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The current counts. */
export interface HttpCounts {
  readonly atWork: () => number
  readonly open: () => number
  readonly connections: () => number
}

/** Adds the metrics of the HTTP server to a shared registry. */
export function httpMetrics(registry: Registry, { atWork, open, connections }: HttpCounts): HttpMetrics {
  const durations = new Histogram({
    name: 'guildhall_http_request_duration_seconds',
    help: 'How long requests took until they were answered, by operation (in snake case) and status.',
    labelNames: ['operation', 'status'] as const,
    buckets: duration_seconds,
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'guildhall_http_refusals_total',
    help: 'Requests that were refused since the start, by operation (in snake case) and code.',
    labelNames: ['operation', 'code'] as const,
    registers: [registry],
  })
  gauge(registry, 'requests_in_flight', 'Requests that are at work right now.', atWork)
  gauge(registry, 'requests_open', 'Requests at work, and those whose body or whose answer is on its way.', open)
  gauge(registry, 'connections', 'Open connections, those of the Gateway among them.', connections)
  return {
    answered: (operation, status, seconds) =>
      durations.observe({ operation: operationLabel(operation), status: String(status) }, seconds),
    refused: (operation, code) => refusals.inc({ operation: operationLabel(operation), code }),
  }
}

/** An operation's name in snake case, as metrics, traces and lines of the log have it: `create_guild`. */
export function operationLabel(operation: string): string {
  return operation
    .toLowerCase()
    .replace(/'/g, '')
    .replace(/[^a-z0-9]+/g, '_')
}

function gauge(registry: Registry, name: string, help: string, count: () => number): void {
  new Gauge({
    name: `guildhall_http_${name}`,
    help,
    registers: [registry],
    collect() {
      this.set(count())
    },
  })
}
