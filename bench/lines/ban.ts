import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { WebSocket } from 'ws'
import { sessionTokenHash } from '../../application/identity/tokens/session-token.ts'
import type { Store } from '../../process/store.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { appendCommands } from '../../test/support/append-commands.ts'
import { call, register, type ApiRequest, type Person } from '../../test/support/load-api.ts'
import type { ProductProcess } from '../../test/support/product-process.ts'
import { measureCores } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, quantile, type Comparison, type Sample } from '../support/rounds.ts'
import { withProductAndStore } from '../support/with-product-and-store.ts'

const sessions_count = 1000
/** As many as an account may have at the Gateway. */
const sockets_count = 100
const bans_min = 5
const visible_ms_max = 60_000
/** The longest that the answer may take, and the telling of every socket. */
const target = { p99_ms: 500, told_ms: 1000 }

const tables = `
  drop schema if exists bench cascade;
  create schema bench;
  create table bench.sessions (token_hash text primary key, account_id int8 not null);
  create table bench.events (position int8 generated always as identity primary key, data jsonb not null)`

interface Site {
  readonly product: ProductProcess
  readonly store: Store
  readonly root: Person
  readonly ada: Person
}

/** The ban of an account with 1,000 sessions, beside one bare transaction that deletes as many rows and writes an event for each. */
export function banLine(settings: LineSettings): Promise<Comparison> {
  return withProductAndStore((product, store) => measured(product, store, settings))
}

async function measured(product: ProductProcess, store: Store, settings: LineSettings): Promise<Comparison> {
  const { pool } = store.database
  await pool.query(tables)
  const root = await call(product.url, register('root'))
  const ada = await call(product.url, register('ada'))
  await appendCommands(store.events, root, [{ type: 'SetAcls', acls: ['*'] }])
  const site = { product, store, root, ada }
  await banOnce(site)
  const compared = await compare({
    line: 'ban',
    unit: '1/s of p99',
    rounds: settings.rounds,
    baseline: () => sampled(product, settings, async () => ({ answer_ms: await bareOnce(pool), told_ms: 0 })),
    product: () => sampled(product, settings, () => banOnce(site)),
  })
  const of = (name: 'p99_ms' | 'told_ms'): string =>
    compared.samples.map((sample) => (sample.product.details[name] ?? Number.NaN).toFixed(0)).join(', ')
  return {
    ...compared,
    notes: [
      `baseline: one transaction that deletes ${sessions_count} rows and inserts ${sessions_count + 1}`,
      `p99 of the answer, by round: ${of('p99_ms')} ms (at most ${target.p99_ms})`,
      `until the last of ${sockets_count} sockets is told: ${of('told_ms')} ms (at most ${target.told_ms})`,
    ],
  }
}

/** In milliseconds since the request was sent. */
interface Times {
  readonly answer_ms: number
  readonly told_ms: number
}

async function sampled(product: ProductProcess, { seconds }: LineSettings, act: () => Promise<Times>): Promise<Sample> {
  const cores = measureCores({ server: () => [product.pid], load: () => [process.pid] })
  const times: Times[] = []
  const until = performance.now() + seconds * 1000
  while (times.length < bans_min || performance.now() < until) times.push(await act())
  const sorted = times.map(({ answer_ms }) => answer_ms).toSorted((a, b) => a - b)
  const [p50_ms, p99_ms] = [quantile(sorted, 0.5), quantile(sorted, 0.99)]
  const told_ms = Math.max(...times.map((each) => each.told_ms))
  return { rate: 1000 / p99_ms, cores: cores(), details: { p50_ms, p99_ms, told_ms, count: times.length } }
}

/** Signs in until the account has its sessions, bans it, and lifts the ban. */
async function banOnce({ product: { url }, store, root, ada }: Site): Promise<Times> {
  const tokens = Array.from({ length: sessions_count }, (_none, index) => `gld_${String(index).padStart(36, '0')}`)
  const now = timestamp(Date.now())
  const sessions = tokens.map((token) => {
    const tokenHash = sessionTokenHash(token)
    return { type: 'StartSession', tokenHash, ip: '127.0.0.1', userAgent: 'bench', now } as const
  })
  await appendCommands(store.events, ada, [{ type: 'EndAllSessions' }, ...sessions])
  await visible(store, ada)
  const about = (method: ApiRequest['method'], resource: string, body: ApiRequest['body'] = {}): Promise<unknown> =>
    call(url, {
      method,
      path: `/v1/admin/users/${ada.id}/${resource}`,
      token: root.token,
      body,
      parse: (answer) => answer,
    })
  // The product reads the sessions that it has not begun itself.
  await about('PATCH', 'flags')
  const sockets = await Promise.all(tokens.slice(0, sockets_count).map((token) => connected(url, token)))
  const sent_ms = performance.now()
  const told = Promise.all(sockets.map((socket) => once(socket, 'close'))).then(() => performance.now() - sent_ms)
  await about('PUT', 'ban', { duration_hours: 0 })
  const answer_ms = performance.now() - sent_ms
  const told_ms = await told
  await about('DELETE', 'ban', { notify_user: false })
  return { answer_ms, told_ms }
}

async function visible({ database: { pool } }: Store, { id }: Person): Promise<void> {
  const deadline = performance.now() + visible_ms_max
  const count = 'select count(*)::int4 as count from accounts.sessions where account_id = $1'
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(count, [id])
    if (rows[0]?.count === sessions_count) return
    if (performance.now() > deadline) throw new Error('The sessions did not become visible in time')
    await wait(20)
  }
}

/** A client that has its READY. */
async function connected(url: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/gateway?v=1`)
  const ready = new Promise<void>((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      if (data.includes('"t":"READY"')) resolve()
    })
    socket.once('close', (code) => reject(new Error(`A session was closed with ${code} before its READY`)))
  })
  await once(socket, 'message')
  const properties = { os: 'bench', browser: 'bench', device: 'bench' }
  socket.send(JSON.stringify({ op: 2, d: { token, properties } }))
  await ready
  return socket
}

/** The same number of rows without the product. Gives the milliseconds of the transaction. */
async function bareOnce(pool: pg.Pool): Promise<number> {
  const numbers = `generate_series(1, ${sessions_count})`
  await pool.query(`insert into bench.sessions select 'token' || n, 1 from ${numbers} n`)
  const client = await pool.connect()
  try {
    const began = performance.now()
    await client.query('begin')
    await client.query(
      `insert into bench.events (data) select jsonb_build_object('tokenHash', 'token' || n) from generate_series(0, ${sessions_count}) n`,
    )
    await client.query('delete from bench.sessions where account_id = 1')
    await client.query('commit')
    return performance.now() - began
  } finally {
    client.release()
  }
}
