import { getGuild, send } from '../../test/support/load-api.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, type Comparison } from '../support/rounds.ts'
import { openHttpSite, portOf, type HttpSite } from './http-site.ts'

const connections = 32
const warmUp_s = 2

/** A read: Get guild over HTTP, beside a bare Fastify with one named SELECT of the same answer. */
export async function getGuildLine({ seconds, rounds }: LineSettings): Promise<Comparison> {
  const site = await openHttpSite()
  try {
    const ceiling = await site.ceiling(connections, Math.min(seconds, 2))
    const bytes = await storeAnswers(site)
    const own = { pid: site.product.pid, port: portOf(site.product.url) }
    const bare = { pid: site.bare.child.pid, port: site.bare.port }
    const ownRequests = site.guilds.map(({ id, owner }) => ({
      method: 'GET',
      path: `/v1/guilds/${id}`,
      token: owner.token,
    }))
    const bareRequests = site.guilds.map(({ id }) => ({ method: 'GET', path: `/guilds/${id}` }))
    const baseline = (for_s = seconds) => site.measure(bare, { connections, seconds: for_s, requests: bareRequests })
    const product = (for_s = seconds) => site.measure(own, { connections, seconds: for_s, requests: ownRequests })
    await baseline(warmUp_s)
    await product(warmUp_s)
    const compared = await compare({
      line: 'get guild',
      unit: 'requests/s',
      target: 0.8,
      rounds,
      baseline: () => baseline(),
      product: () => product(),
    })
    return {
      ...compared,
      notes: [
        `${connections} connections; the load alone reaches ${Math.round(ceiling.rate)} requests/s from a server that does nothing`,
        `answers of ${bytes} bytes`,
      ],
    }
  } finally {
    await site.close()
  }
}

/** Stores the product's answers as the rows that the baseline selects. Gives the size of one. */
async function storeAnswers({ product, pool, guilds }: HttpSite): Promise<number> {
  let bytes = 0
  for (const { id, owner } of guilds) {
    const { body } = await send(product.url, getGuild(owner, id))
    const text = JSON.stringify(body)
    bytes = Buffer.byteLength(text)
    await pool.query('insert into bench.guilds (id, body) values ($1, $2)', [id, text])
  }
  await pool.query('analyze bench.guilds')
  return bytes
}
