import { claim, openStoreSite, sellTo, type Buyer } from '../stores/store-site.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, type Comparison } from '../support/rounds.ts'

const purchases_count = 100
const connections = 16
const warmUp_s = 1

/** Get current user of an account with 100 purchases behind it, beside that of an account with none. */
export async function premiumReadLine({ seconds, rounds }: LineSettings): Promise<Comparison> {
  const site = await openStoreSite(2)
  try {
    const [rich, poor] = site.people
    if (!rich || !poor) throw new Error('There is no buyer')
    for (let count = 0; count < purchases_count; count += 1) await claim(site, rich, sellTo(site, rich))
    const measured = ({ token }: Buyer, for_s: number) =>
      site.measure(site.own, {
        connections,
        seconds: for_s,
        requests: [{ method: 'GET', path: '/v1/users/@me', token }],
      })
    await measured(poor, warmUp_s)
    await measured(rich, warmUp_s)
    const compared = await compare({
      line: `get current user, ${purchases_count} purchases`,
      unit: 'requests/s',
      target: 0.95,
      rounds,
      baseline: () => measured(poor, seconds),
      product: () => measured(rich, seconds),
    })
    return { ...compared, notes: ['the baseline is the same request of an account without purchases'] }
  } finally {
    await site.close()
  }
}
