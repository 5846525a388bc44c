import { createInvite } from '../../test/support/load-api.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, type Comparison } from '../support/rounds.ts'
import { openHttpSite, portOf } from './http-site.ts'

const connections = 32
const warmUp_s = 2
const wishes = { max_uses: 10, max_age: 86_400 }

/** The whole path of a command: Create channel invite over HTTP, beside a bare Fastify with one autocommitted INSERT. */
export async function createInviteLine({ seconds, rounds }: LineSettings): Promise<Comparison> {
  const site = await openHttpSite()
  try {
    const ceiling = await site.ceiling(connections, Math.min(seconds, 2))
    const own = { pid: site.product.pid, port: portOf(site.product.url) }
    const bare = { pid: site.bare.child.pid, port: site.bare.port }
    const ownRequests = site.guilds.map(({ owner, textChannel }) => {
      const { method, path, body } = createInvite(owner, textChannel, wishes)
      return { method, path, token: owner.token, body: JSON.stringify(body) }
    })
    const bareRequests = site.guilds.map(({ textChannel }) => ({
      method: 'POST',
      path: `/channels/${textChannel}/invites`,
      body: JSON.stringify({ ...wishes, temporary: false, unique: true }),
    }))
    const baseline = (for_s = seconds) => site.measure(bare, { connections, seconds: for_s, requests: bareRequests })
    const product = (for_s = seconds) => site.measure(own, { connections, seconds: for_s, requests: ownRequests })
    await baseline(warmUp_s)
    await product(warmUp_s)
    const compared = await compare({
      line: 'create invite',
      unit: 'requests/s',
      target: 0.5,
      rounds,
      baseline: () => baseline(),
      product: () => product(),
    })
    const { rows } = await site.pool.query<{ count: number }>(
      'select (count(*) / $1)::int4 as count from invites.invites',
      [site.guilds.length],
    )
    return {
      ...compared,
      notes: [
        `${connections} connections; the load alone reaches ${Math.round(ceiling.rate)} requests/s from a server that does nothing`,
        `${site.guilds.length} guilds, at the end with ${rows[0]?.count} invites each`,
      ],
    }
  } finally {
    await site.close()
  }
}
