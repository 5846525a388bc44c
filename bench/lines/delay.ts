import type { Comparison, Sample } from '../support/rounds.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, comparisonOf, quantile } from '../support/rounds.ts'
import { timeOf } from '../support/timed.ts'
import { atRate } from '../events/at-rate.ts'
import { openDistributedSite, openEmbeddedSite, type DelaySite } from '../events/delay-sites.ts'

const perSecond = 500
const commandsPerSecond = 200
/** The dispatch comes after at most twice the time of the answer. */
const commandTarget = 0.5
const warmUp_s = 2

/**
 * From the sending of an append until its row can be read, and until a Gateway session has its dispatch, at 500 events a second.
 * The baseline is the bare client of the same store: from the sending until a second client, which follows, has the event.
 */
export async function delayLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  return onEachSite(async (site) => {
    await measured(warmUp_s, site.follow)
    await measured(warmUp_s, site.dispatch)
    const sides = { unit: '1/s (by p50)', rounds, baseline: () => measured(seconds, site.follow) }
    const visible = () => measured(seconds, site.visible)
    const dispatch = () => measured(seconds, site.dispatch)
    return [
      withTimes(await compare({ ...sides, line: `to the row, ${site.name}`, product: visible })),
      withTimes(await compare({ ...sides, line: `to the dispatch, ${site.name}`, product: dispatch })),
    ]
  })
}

/**
 * From a request until a Gateway session has its dispatch, at 200 requests a second, beside the same requests until they are
 * answered. Where the machine can't answer as many, the server sheds some: they have no delay, and are counted.
 */
export async function commandDelayLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  return onEachSite(async (site) => {
    const line = `from the request to the dispatch, ${site.name}`
    await commands(warmUp_s, site)
    const samples: Comparison['samples'][number][] = []
    for (let round = 0; round < rounds; round += 1) samples.push(await commands(seconds, site))
    const compared = comparisonOf({ line, unit: '1/s (by p50)', target: commandTarget }, samples)
    return [withTimes(compared, { beside: 'the answer', rate: commandsPerSecond })]
  })
}

async function commands(seconds: number, site: DelaySite): Promise<Comparison['samples'][number]> {
  const answered: number[] = []
  const dispatched: number[] = []
  let refused = 0
  await atRate(commandsPerSecond, seconds, async () => {
    const times = await site.command()
    if (times === undefined) refused += 1
    else {
      answered.push(times.answered_ms)
      dispatched.push(times.dispatched_ms)
    }
  })
  return { baseline: sampleOf(answered), product: sampleOf(dispatched, refused) }
}

async function onEachSite(
  measure: (site: DelaySite) => Promise<readonly Comparison[]>,
): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = []
  for (const open of [openEmbeddedSite, openDistributedSite]) {
    const site = await open()
    try {
      comparisons.push(...(await measure(site)))
    } finally {
      await site.close()
    }
  }
  return comparisons
}

async function measured(seconds: number, task: () => Promise<unknown>): Promise<Sample> {
  const delays: number[] = []
  await atRate(perSecond, seconds, async () => {
    const sent = performance.now()
    await task()
    delays.push(performance.now() - sent)
  })
  return sampleOf(delays)
}

function sampleOf(delays: readonly number[], refused = 0): Sample {
  const sorted = delays.toSorted((a, b) => a - b)
  const p50_ms = quantile(sorted, 0.5)
  const details = { p50_ms, p99_ms: quantile(sorted, 0.99), count: delays.length, refused }
  return { rate: 1000 / p50_ms, cores: {}, details }
}

function withTimes(
  comparison: Comparison,
  { beside, rate } = { beside: 'the bare client', rate: perSecond },
): Comparison {
  const of = (side: 'product' | 'baseline'): string =>
    `p50 ${timeOf(comparison, side, 'p50_ms').toFixed(1)} ms, p99 ${timeOf(comparison, side, 'p99_ms').toFixed(1)} ms`
  const refused = comparison.samples.reduce((sum, { product }) => sum + (product.details['refused'] ?? 0), 0)
  const shed = refused === 0 ? [] : [`${refused} requests were refused as more than the server can answer (503)`]
  return { ...comparison, notes: [`${of('product')}; ${beside} ${of('baseline')}; ${rate} a second`, ...shed] }
}
