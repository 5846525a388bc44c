import { startSession } from '../../test/faults/commands/message-stage.ts'
import { acceptInvite, call, createInvite, register, send, type Person } from '../../test/support/load-api.ts'
import type { LoadJob } from '../http/http-load.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, type Comparison } from '../support/rounds.ts'
import { openHttpSite, portOf, type HttpSite, type OwnedGuild } from './http-site.ts'

type Requests = LoadJob['requests']

/** One operation: the request to the product, and the one to a bare Fastify that does the same with one statement. */
interface Asked {
  readonly line: string
  readonly product: () => Promise<Requests>
  readonly baseline: Requests
  /** Whether a request succeeds only once: then each round has requests of its own. */
  readonly once?: boolean
}

const inFlight = [1, 32]
const warmUp_s = 1
const newcomersEach_count = 12
/** Of the 200 guilds, so that no new member comes near the 100 that an account may be in. */
const joined_guilds = 90

/** Send message, Get current user, Accept invite and Modify guild, alone and with 32 in flight. */
export async function requestsLine(settings: LineSettings): Promise<readonly Comparison[]> {
  const site = await openHttpSite()
  try {
    const comparisons: Comparison[] = []
    for (const asked of await operationsOn(site))
      for (const connections of inFlight) comparisons.push(await compared(site, asked, connections, settings))
    return comparisons
  } finally {
    await site.close()
  }
}

async function compared(
  site: HttpSite,
  { line, product, baseline, once = false }: Asked,
  connections: number,
  { seconds, rounds }: LineSettings,
): Promise<Comparison> {
  const own = { pid: site.product.pid, port: portOf(site.product.url) }
  const bare = { pid: site.bare.child.pid, port: site.bare.port }
  const measureBare = (for_s: number) => site.measure(bare, { connections, seconds: for_s, requests: baseline })
  const measureOwn = async (for_s: number) =>
    site.measure(own, { connections, seconds: for_s, requests: await product(), once })
  await measureBare(warmUp_s)
  await measureOwn(warmUp_s)
  const comparison = await compare({
    line: `${line}, ${connections} in flight`,
    unit: 'requests/s',
    target: 0.5,
    rounds,
    baseline: () => measureBare(seconds),
    product: () => measureOwn(seconds),
  })
  const last = comparison.samples.at(-1)
  const p50 = (side: 'product' | 'baseline'): string => (last?.[side].details['p50_ms'] ?? Number.NaN).toFixed(2)
  return { ...comparison, notes: [`p50 ${p50('product')} ms beside ${p50('baseline')} ms (last round)`] }
}

async function operationsOn(site: HttpSite): Promise<readonly Asked[]> {
  const { guilds } = site
  const [some] = guilds
  if (!some) throw new Error('There is no guild')
  for (const account of new Set(guilds.map(({ owner }) => owner))) await startSession(site.product.url, account)
  const { token } = some.owner
  const read = async (path: string): Promise<Requests> => {
    const { body } = await send(site.product.url, { method: 'GET', path, token, parse: () => undefined })
    await site.pool.query('insert into bench.answers (path, body) values ($1, $2)', [
      path.slice(1),
      JSON.stringify(body),
    ])
    return [{ method: 'GET', path: `/answers${path}` }]
  }
  return [
    {
      line: 'get current user',
      product: async () => guilds.map(({ owner }) => ({ method: 'GET', path: '/v1/users/@me', token: owner.token })),
      baseline: await read('/v1/users/@me'),
    },
    {
      line: 'accept invite',
      product: () => joins(site),
      baseline: guilds.map(({ id }) => ({ method: 'POST', path: `/members/${id}`, body: '{}' })),
      once: true,
    },
    {
      line: 'modify guild',
      product: async () => renamings(guilds, '/v1/guilds'),
      baseline: renamings(guilds, '/names'),
    },
    // Last: Postgres vacuums what they leave, beside whatever is measured then.
    {
      line: 'send message',
      product: async () => guilds.map((guild) => asText(messageTo(guild))),
      baseline: guilds.map(({ textChannel }) => ({
        method: 'POST',
        path: `/messages/${textChannel}`,
        body: JSON.stringify({ content: 'hello' }),
      })),
    },
  ]
}

function messageTo({ textChannel, owner }: OwnedGuild) {
  const path = `/v1/channels/${textChannel}/messages`
  return { method: 'POST', path, token: owner.token, body: { content: 'hello' } } as const
}

const asText = ({ body, ...request }: ReturnType<typeof messageTo>) => ({ ...request, body: JSON.stringify(body) })

/** Two names for each guild, so that every request changes the name. */
function renamings(guilds: readonly OwnedGuild[], path: string): Requests {
  return ['Difference Engine', 'Analytical Engine'].flatMap((name) =>
    guilds.map(({ id, owner }) => ({
      method: 'PATCH',
      path: `${path}/${id}`,
      token: owner.token,
      body: JSON.stringify({ name }),
    })),
  )
}

let newcomers = 0

/** New accounts that join many guilds, each by an invite of the guild. */
async function joins({ product: { url }, guilds }: HttpSite): Promise<Requests> {
  const people: Person[] = []
  for (let count = 0; count < newcomersEach_count; count += 1)
    people.push(await call(url, register(`newcomer${(newcomers += 1)}`)))
  const codes: string[] = []
  for (const { owner, textChannel } of guilds.slice(0, joined_guilds))
    codes.push((await call(url, createInvite(owner, textChannel, { max_uses: 0, max_age: 0 }))).code)
  return codes.flatMap((code) =>
    people.map((person) => {
      const { method, path, token } = acceptInvite(person, code)
      return { method, path, body: '{}', ...(token === undefined ? {} : { token }) }
    }),
  )
}
