import { availableParallelism } from 'node:os'
import { others, type Cores } from './cpu.ts'

/** The result of one side in one round. */
export interface Sample {
  /** In the unit of the line; more is better. */
  readonly rate: number
  readonly cores: Cores
  /** Other figures, such as latencies, with the unit in the name. */
  readonly details: Readonly<Record<string, number>>
}

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** One line of the bench: the product beside its baseline. */
export interface Comparison {
  readonly line: string
  readonly unit: string
  /** The target ratio; undefined if none is set. */
  readonly target: number | undefined
  readonly product: Spread
  readonly baseline: Spread
  /** Product divided by baseline, round by round. */
  readonly ratio: Spread
  /** What kept the product from being faster, as far as the figures show. */
  readonly limit: string
  /** The CPU time of one unit of work, in all processes except the load's. 0 if unknown. */
  readonly cpu_us: { readonly product: number; readonly baseline: number }
  readonly notes: readonly string[]
  readonly samples: readonly { readonly product: Sample; readonly baseline: Sample }[]
}

export interface Sides {
  readonly line: string
  readonly unit: string
  readonly target?: number
  readonly rounds: number
  readonly baseline: () => Promise<Sample>
  readonly product: () => Promise<Sample>
}

/** Measures both sides in turn, round after round, so that other work on the machine affects both. */
export async function compare({ line, unit, target, rounds, baseline, product }: Sides): Promise<Comparison> {
  const samples: { product: Sample; baseline: Sample }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const sample = { baseline: await baseline(), product: await product() }
    samples.push(sample)
    console.log(
      `  ${line}, round ${round + 1}: ${whole(sample.product.rate)} beside ${whole(sample.baseline.rate)} ${unit}`,
    )
  }
  return comparisonOf({ line, unit, target }, samples)
}

type Heading = Pick<Comparison, 'line' | 'unit' | 'target'>

/** Summarises the rounds of a line. */
export function comparisonOf(heading: Heading, samples: Comparison['samples']): Comparison {
  return {
    ...heading,
    product: spread(samples.map((sample) => sample.product.rate)),
    baseline: spread(samples.map((sample) => sample.baseline.rate)),
    ratio: spread(samples.map((sample) => sample.product.rate / sample.baseline.rate)),
    limit: limitOf(samples.map((sample) => sample.product.cores)),
    cpu_us: {
      product: spread(samples.map((sample) => costOf(sample.product))).median,
      baseline: spread(samples.map((sample) => costOf(sample.baseline))).median,
    },
    notes: [],
    samples,
  }
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: quantile(sorted, 0.5), min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN }
}

/** A quantile of values in ascending order; NaN for an empty list. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Roles that are not part of the measured system. */
const loadRoles = ['load', 'sessions', others]

function costOf({ rate, cores }: Sample): number {
  const working = Object.entries(cores).filter(([role]) => !loadRoles.includes(role))
  return (working.reduce((sum, [, busy]) => sum + busy, 0) / rate) * 1e6
}

/** A core that is busy for this share of the time has nothing to spare. */
const busyShare = 0.9

/** Lists the roles in order of their use, and those that had nothing to spare. */
function limitOf(rounds: readonly Cores[]): string {
  const roles = Object.keys(rounds[0] ?? {})
  if (roles.length === 0) return 'not known here'
  const medians = roles.map((role) => ({ role, cores: spread(rounds.map((round) => round[role] ?? 0)).median }))
  const used = medians.toSorted((a, b) => b.cores - a.cores)
  const full = used.filter(({ role, cores }) => role !== others && cores >= busyShare).map(({ role }) => role)
  const isMachineFull = used.reduce((sum, { cores }) => sum + cores, 0) >= busyShare * availableParallelism()
  const what = isMachineFull ? ['the machine', ...full] : full
  const list = used.map(({ role, cores }) => `${role} ${cores.toFixed(2)}`).join(', ')
  return `${what.length > 0 ? `${what.join(' and ')} full` : 'nobody full: waits'} (cores: ${list})`
}

const whole = (rate: number): string => Math.round(rate).toLocaleString('en')

/** What the report says of a mark. */
export const verdictOf = (reached: boolean): string => (reached ? 'reached' : 'short')
