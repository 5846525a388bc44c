import { comparisonOf, type Comparison, type Sample } from './rounds.ts'

interface ByCpu {
  readonly unit: string
  readonly target: number
  /** How many units of work cost the server the `server_ms` of the samples' details. */
  readonly count: number
}

/** The rounds of a comparison by the CPU time of the server, beside those by the clock. */
export function withCpu(
  byClock: Comparison,
  { unit, target, count }: ByCpu,
  notes: readonly string[],
): readonly Comparison[] {
  const perCpu = ({ details, cores }: Sample): Sample => ({
    rate: (1000 * count) / (details['server_ms'] ?? Number.NaN),
    // The server has one core all the time, so the cost of one unit is its CPU time.
    cores: { ...cores, server: 1 },
    details,
  })
  const samples = byClock.samples.map(({ product, baseline }) => ({
    product: perCpu(product),
    baseline: perCpu(baseline),
  }))
  const byCpu = comparisonOf({ line: `${byClock.line}, by CPU`, unit, target }, samples)
  return [
    { ...byClock, cpu_us: byCpu.cpu_us, notes },
    { ...byCpu, limit: 'the server, by definition' },
  ]
}
