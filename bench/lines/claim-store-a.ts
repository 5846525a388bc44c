import type { LoadJob } from '../http/http-load.ts'
import { rawRequest } from '../http/raw-request.ts'
import { openStoreSite, sellTo, type StoreSite } from '../stores/store-site.ts'
import type { LineSettings } from '../support/line.ts'
import { paced } from '../support/paced.ts'
import { compare, quantile, verdictOf, type Comparison } from '../support/rounds.ts'

/** Each claims some ten purchases: a claim reads all that its account has. */
const people_count = 500
const connections = 16
/** The product takes fewer in a second on two cores; the baseline is through with them before its time is over. */
const claimsEachSecond = 600
const paced_perSecond = 20
const p99_ms_max = 150
const warmUp_s = 1

type Requests = LoadJob['requests']

/**
 * Claim store A transaction, each of a purchase that was never seen, beside a bare Fastify that verifies the same text with `jose`
 * and asks the double once; then its p99 at 20 claims a second.
 */
export async function claimStoreALine({ seconds, rounds }: LineSettings): Promise<Comparison> {
  const site = await openStoreSite(people_count)
  try {
    const product = async (for_s: number) =>
      site.measure(site.own, { connections, seconds: for_s, once: true, requests: await claims(site, for_s) })
    const baseline = async (for_s: number) =>
      site.measure(site.bare, { connections, seconds: for_s, requests: await bareClaims(site, for_s), once: true })
    await baseline(warmUp_s)
    await product(warmUp_s)
    const compared = await compare({
      line: 'claim store A',
      unit: 'claims/s',
      target: 0.5,
      rounds,
      baseline: () => baseline(seconds),
      product: () => product(seconds),
    })
    const even = (await claims(site, 1)).slice(0, paced_perSecond * seconds)
    const latencies = await paced(
      site.own.port,
      even.map((request) => rawRequest(site.own.port, request)),
      paced_perSecond,
    )
    const p99_ms = quantile(latencies, 0.99)
    const verdict = verdictOf(p99_ms <= p99_ms_max)
    const note = `at ${paced_perSecond} claims a second: p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${p99_ms.toFixed(1)} ms; at most ${p99_ms_max}: ${verdict}`
    return { ...compared, notes: [note] }
  } finally {
    await site.close()
  }
}

/** Claims of new purchases, one buyer after the other. */
async function claims(site: StoreSite, seconds: number): Promise<Requests> {
  const requests: Requests = []
  for (let index = 0; index < claimsEachSecond * seconds; index += 1) {
    const buyer = site.people[index % site.people.length]
    if (!buyer) throw new Error('There is no buyer')
    const body = JSON.stringify({ signed_transaction: await site.storeA.signedTransaction(sellTo(site, buyer)) })
    requests.push({ method: 'POST', path: '/v1/premium/store/store-a/transactions', token: buyer.token, body })
  }
  return requests
}

async function bareClaims(site: StoreSite, seconds: number): Promise<Requests> {
  const requests = await claims(site, seconds)
  return requests.map(({ body = '' }) => ({ method: 'POST', path: '/claims', body }))
}
