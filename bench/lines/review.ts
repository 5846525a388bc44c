import { appendCommands } from '../../test/support/append-commands.ts'
import { call, createGuild, register, type ApiRequest, type Person } from '../../test/support/load-api.ts'
import { identify, openReadySession } from '../gateway/ready-session.ts'
import { within } from '../support/child.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, quantile, verdictOf, type Comparison, type Sample } from '../support/rounds.ts'
import { timeOf } from '../support/timed.ts'
import { withProductAndStore } from '../support/with-product-and-store.ts'
import { portOf } from './http-site.ts'

const warmUp_count = 20
const slower_max = 1.5
const heard_ms_max = 30_000
const updateMark = Buffer.from('"t":"GUILD_UPDATE"')

/** The approval of an application, from the request until a session has its GUILD_UPDATE, beside Modify guild until the same. */
export function reviewLine({ rounds, seconds }: LineSettings): Promise<Comparison> {
  return withProductAndStore(async ({ url }, store) => {
    const root = await call(url, register('root'))
    await appendCommands(store.events, root, [{ type: 'SetAcls', acls: ['*'] }])
    const { id } = await call(url, createGuild(root, 'Home'))
    const site = { url, root, id, session: await listen(url, root) }
    try {
      const comparison = await compare({
        line: 'review',
        unit: '1/s (by p50)',
        rounds,
        baseline: () => sampled(seconds, () => renamed(site)),
        product: () => sampled(seconds, () => approved(site)),
      })
      return withBound(comparison)
    } finally {
      site.session.close()
    }
  })
}

interface Site {
  readonly url: string
  readonly root: Person
  readonly id: string
  readonly session: Listener
}

let names = 0

/** Renames the guild. Gives the milliseconds until the session has heard of it. */
function renamed(site: Site): Promise<number> {
  return heardAfter(site, 'PATCH', `/v1/guilds/${site.id}`, { name: `Home ${(names += 1)}` })
}

/** Applies, approves, and withdraws again. Gives the milliseconds from the approval until the session has heard of it. */
async function approved(site: Site): Promise<number> {
  const own = `/v1/guilds/${site.id}/discovery`
  await ask(site, 'POST', own, { description: 'A place for everybody', category_type: 0 })
  const took_ms = await heardAfter(site, 'PATCH', `/v1/admin/discovery/applications/${site.id}`, { status: 'approved' })
  await heardAfter(site, 'DELETE', own)
  return took_ms
}

async function heardAfter(site: Site, ...asked: Asked): Promise<number> {
  const heard = site.session.next()
  const began = performance.now()
  let took_ms = 0
  await Promise.all([
    within(heard, heard_ms_max, 'A session was not told of a change').then(() => (took_ms = performance.now() - began)),
    ask(site, ...asked),
  ])
  return took_ms
}

type Asked = readonly [method: ApiRequest['method'], path: string, body?: ApiRequest['body']]

function ask({ url, root: { token } }: Site, ...[method, path, body]: Asked): Promise<unknown> {
  return call(url, { method, path, token, ...(body ? { body } : {}), parse: (answer) => answer })
}

async function sampled(seconds: number, act: () => Promise<number>): Promise<Sample> {
  for (let count = 0; count < warmUp_count; count += 1) await act()
  const times: number[] = []
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) times.push(await act())
  const sorted = times.toSorted((a, b) => a - b)
  const p50_ms = quantile(sorted, 0.5)
  return { rate: 1000 / p50_ms, cores: {}, details: { p50_ms, p99_ms: quantile(sorted, 0.99), count: times.length } }
}

interface Listener {
  /** Resolves at the next GUILD_UPDATE. */
  next(): Promise<void>
  close(): void
}

async function listen(url: string, { token }: Person): Promise<Listener> {
  let wake = (): void => undefined
  const hear = (payload: Buffer): void => {
    if (payload.includes(updateMark)) wake()
  }
  const ready = openReadySession({ port: portOf(url) }, identify(token), hear)
  const { session } = await within(ready, heard_ms_max, 'A session did not become ready')
  return { next: () => new Promise<void>((resolve) => (wake = resolve)), close: () => session.close() }
}

function withBound(comparison: Comparison): Comparison {
  const of = (side: 'product' | 'baseline'): number => timeOf(comparison, side, 'p99_ms')
  const times = of('product') / of('baseline')
  const verdict = verdictOf(times <= slower_max)
  const note = `p99 ${of('product').toFixed(1)} ms, ${times.toFixed(2)} times that of Modify guild; at most ${slower_max}: ${verdict}`
  return { ...comparison, notes: [note] }
}
