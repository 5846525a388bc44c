import { attacks } from '../../test/abuse/support/flood/attacks.ts'
import { openFloodSite, type FloodSite } from '../../test/abuse/support/flood/flood-site.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, quantile, type Comparison, type Sample } from '../support/rounds.ts'

/** The p99 beside an attack may be three times that in quiet. */
const target = 1 / 3

/**
 * How fast ordinary clients are answered beside one client that attacks, within its limits or beyond them, compared with the quiet
 * before; for each attack, and for all at once. The rate is how many answers as late as the p99 would fit in a second.
 */
export async function floodLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  const site = await openFloodSite()
  try {
    const each = Object.keys(attacks)
    const comparisons: Comparison[] = []
    for (const [line, names] of [...each.map((name) => [name, [name]] as const), ['all attacks', each] as const])
      comparisons.push(
        await compare({
          line: `flood: ${line}`,
          unit: '1/p99',
          target,
          rounds,
          baseline: () => beside(site, [], seconds),
          product: () => beside(site, names, seconds),
        }),
      )
    return comparisons
  } finally {
    await site.close()
  }
}

async function beside(site: FloodSite, names: readonly string[], seconds: number): Promise<Sample> {
  const answers = await site.livedBeside(names, seconds * 1000)
  const times = answers.map(({ took_ms }) => took_ms).toSorted((one, other) => one - other)
  const p99_ms = quantile(times, 0.99)
  return { rate: 1000 / p99_ms, cores: {}, details: { p50_ms: quantile(times, 0.5), p99_ms } }
}
