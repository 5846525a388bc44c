import type { Comparison, Sample } from '../support/rounds.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, quantile } from '../support/rounds.ts'
import { atRate } from '../events/at-rate.ts'
import { openDistributedSite, openEmbeddedSite, type DelaySite } from '../events/delay-sites.ts'

const perSecond = 500
const requestsPerSecond = 200
/** From the request to the dispatch takes at most twice as long as the request alone. */
const requestTarget = 0.5
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
 * From a request until it is answered and a Gateway session has its dispatch, at 200 requests a second, beside the request alone.
 * Where the machine can't answer as many, the server sheds some: they have no delay, and are counted.
 */
export async function commandDelayLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  return onEachSite(async (site) => {
    await measured(warmUp_s, site.request, requestsPerSecond)
    const compared = await compare({
      line: `from the request to the dispatch, ${site.name}`,
      unit: '1/s (by p50)',
      target: requestTarget,
      rounds,
      baseline: () => measured(seconds, site.command, requestsPerSecond),
      product: () => measured(seconds, site.request, requestsPerSecond),
    })
    return [withTimes(compared, { beside: 'the request alone', rate: requestsPerSecond })]
  })
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

async function measured(seconds: number, task: () => Promise<unknown>, rate = perSecond): Promise<Sample> {
  const delays: number[] = []
  let refused = 0
  await atRate(rate, seconds, async () => {
    const sent = performance.now()
    if ((await task()) === 'refused') refused += 1
    else delays.push(performance.now() - sent)
  })
  const sorted = delays.toSorted((a, b) => a - b)
  const p50_ms = quantile(sorted, 0.5)
  const details = { p50_ms, p99_ms: quantile(sorted, 0.99), count: delays.length, refused }
  return { rate: 1000 / p50_ms, cores: {}, details }
}

function withTimes(
  comparison: Comparison,
  { beside, rate } = { beside: 'the bare client', rate: perSecond },
): Comparison {
  const times = (side: 'product' | 'baseline', name: 'p50_ms' | 'p99_ms'): string => {
    const values = comparison.samples
      .map((sample) => sample[side].details[name] ?? Number.NaN)
      .toSorted((a, b) => a - b)
    return quantile(values, 0.5).toFixed(1)
  }
  const of = (side: 'product' | 'baseline'): string =>
    `p50 ${times(side, 'p50_ms')} ms, p99 ${times(side, 'p99_ms')} ms`
  const refused = comparison.samples.reduce((sum, { product }) => sum + (product.details['refused'] ?? 0), 0)
  const shed = refused === 0 ? [] : [`${refused} requests were refused as more than the server can answer (503)`]
  return { ...comparison, notes: [`${of('product')}; ${beside} ${of('baseline')}; ${rate} a second`, ...shed] }
}
