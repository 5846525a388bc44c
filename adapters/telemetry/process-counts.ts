import type { Registry } from 'prom-client'
import type { ProcessCounts } from '../../application/ports/instance-status.ts'

interface Value {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number | undefined>>
  readonly metricName?: string
}

/** What a process counts, from its registry. Only the metrics that are needed are collected. */
export async function processCounts(registry: Registry): Promise<ProcessCounts> {
  const valuesOf = async (name: string): Promise<readonly Value[] | undefined> => {
    const values: readonly Value[] | undefined = (await registry.getSingleMetric(name)?.get())?.values
    return values
  }
  const durations = 'guildhall_http_request_duration_seconds'
  const [requests, refusals, inFlight, sessions, dispatches] = await Promise.all([
    valuesOf(durations),
    valuesOf('guildhall_http_refusals_total'),
    valuesOf('guildhall_http_requests_in_flight'),
    valuesOf('guildhall_gateway_sessions'),
    valuesOf('guildhall_gateway_dispatches_total'),
  ])
  const counted = (requests ?? []).filter(({ metricName }) => metricName === `${durations}_count`)
  const { user, system } = process.cpuUsage()
  return {
    requests: sumOf(counted),
    failures: sumOf(counted.filter(({ labels }) => Number(labels['status']) >= 500)),
    refusals: sumOf(refusals ?? []),
    requests_seconds: sumOf((requests ?? []).filter(({ metricName }) => metricName === `${durations}_sum`)),
    requestsInFlight: sumOf(inFlight ?? []),
    gatewaySessions: sessions ? sumOf(sessions) : null,
    dispatches: dispatches ? sumOf(dispatches) : null,
    memory_bytes: process.memoryUsage.rss(),
    cpu_seconds: (user + system) / 1_000_000,
  }
}

function sumOf(values: readonly Value[]): number {
  return values.reduce((sum, { value }) => sum + value, 0)
}
