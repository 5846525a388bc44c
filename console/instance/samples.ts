import { useQuery } from '@tanstack/react-query'
import { call, type ReplyOf } from '../api/call.ts'

type Metrics = ReplyOf<'getInstanceMetrics'>

/** How often a sample is taken, and how many are kept: those of an hour. */
export const sampled_ms = 15_000
const samples_max = 240

/** What a chart shows of a sample: counts a second since the one before it, and levels as they are. */
export interface Sample {
  readonly at_s: number
  readonly values: Readonly<Record<ChartName, number | null>>
}

/** Every line that there is. */
export const chartNames = [
  'requests',
  'failures',
  'refusals',
  'duration_ms',
  'lag',
  'sessions',
  'dispatches',
  'memory_mb',
  'cpu_percent',
] as const
export type ChartName = (typeof chartNames)[number]

let taken: readonly Metrics[] = []

/** The samples of the last hour in which the page was open, of one process: where another one answers, it begins anew. */
export function useSamples(): { readonly samples: readonly Sample[]; readonly error: unknown } {
  const { data, error } = useQuery({
    queryKey: ['samples'],
    queryFn: async () => {
      const fresh = await call('getInstanceMetrics')
      const before = taken.at(-1)
      const goesOn = before !== undefined && before.process_id === fresh.process_id && fresh.requests >= before.requests
      taken = [...(goesOn ? taken : []), fresh].slice(-samples_max - 1)
      return samplesOf(taken)
    },
    refetchInterval: sampled_ms,
  })
  return { samples: data ?? [], error }
}

/** A count needs the sample before it, so there is one less. */
export function samplesOf(metrics: readonly Metrics[]): readonly Sample[] {
  return metrics.slice(1).flatMap((after, index) => {
    const before = metrics[index]
    return before ? [sampleOf(before, after)] : []
  })
}

function sampleOf(before: Metrics, after: Metrics): Sample {
  const at_s = Date.parse(after.at) / 1000
  const passed_s = Math.max(at_s - Date.parse(before.at) / 1000, 0.001)
  const requests = after.requests - before.requests
  return {
    at_s,
    values: {
      requests: requests / passed_s,
      failures: (after.failures - before.failures) / passed_s,
      refusals: (after.refusals - before.refusals) / passed_s,
      duration_ms: requests === 0 ? null : ((after.requests_seconds - before.requests_seconds) / requests) * 1000,
      lag: Number(after.read_model_lag_events_max),
      sessions: after.gateway_sessions,
      dispatches:
        after.dispatches === null || before.dispatches === null
          ? null
          : (after.dispatches - before.dispatches) / passed_s,
      memory_mb: after.memory_bytes / 1_000_000,
      cpu_percent: ((after.cpu_seconds - before.cpu_seconds) / passed_s) * 100,
    },
  }
}
