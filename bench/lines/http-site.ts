import path from 'node:path'
import type pg from 'pg'
import { z } from 'zod'
import { findRunningPostgres, type Connection } from '../../adapters/postgres/embedded/start.ts'
import {
  call,
  createGuild,
  createInvite,
  getGuild,
  register,
  send,
  type FoundedGuild,
  type Person,
} from '../../test/support/load-api.ts'
import { startProduct, type ProductProcess } from '../../test/support/product-process.ts'
import type { LoadJob } from '../http/http-load.ts'
import { forkChild, type Child } from '../support/child.ts'
import { measureCores, postgresProcesses, type Roles } from '../support/cpu.ts'
import { openPool } from '../support/pool.ts'
import type { Sample } from '../support/rounds.ts'
import { scratch } from '../support/scratch.ts'

/** A product with guilds in it, and its baseline on the same Postgres. */
export interface HttpSite {
  readonly product: ProductProcess
  readonly pool: pg.Pool
  readonly connection: Connection
  readonly guilds: readonly OwnedGuild[]
  /** A bare Fastify over `connections_max` connections. Gives its port. */
  readonly bare: { readonly child: Child; readonly port: number }
  /** Sends requests to a server for some seconds. Rejects if any answer is not a success. */
  measure(server: Server, job: Job): Promise<Sample>
  /** The same if some requests may be refused: the rate counts the successes, and the details give successes and refusals. */
  measureGoodput(server: Server, job: Job): Promise<Sample>
  /** The most requests a second that the load itself can send, to a server that does nothing. */
  ceiling(connections: number, seconds: number): Promise<Sample>
  close(): Promise<void>
}

/** The requests, the duration, and the number of parallel connections. */
export type Job = Pick<LoadJob, 'connections' | 'seconds' | 'requests' | 'once'>

export interface OwnedGuild extends FoundedGuild {
  readonly owner: Person
}

export interface Server {
  readonly pid: number
  readonly port: number
}

/** Below the 100 guilds that an account may be in, and enough that no guild comes near its 1000 invites. */
const people_count = 8
const guildsEach_count = 25
/** As many as the product's own pool has. 10 and 32 were no faster when measured. */
export const bareConnections_max = 20
const setUp_ms_max = 60_000
const answer_ms_max = 60_000

/** What the bare Fastify writes. */
export const tables = `
  drop schema if exists bench cascade;
  create schema bench;
  create table bench.invites (
    code text primary key, channel_id int8 not null, max_uses int4 not null, max_age int4 not null,
    temporary boolean not null, created_at timestamptz not null, event jsonb not null);
  create table bench.guilds (id int8 primary key, body jsonb not null);
  create table bench.answers (path text primary key, body jsonb not null);
  create table bench.rows (place int8 not null, id int8 not null, body jsonb not null, primary key (place, id));
  create table bench.messages (id int8 generated always as identity primary key, channel_id int8 not null, body jsonb not null);
  create table bench.members (guild text not null, account int8 generated always as identity, body jsonb not null,
    primary key (guild, account));
  create table bench.names (guild int8 primary key, name text not null)`

const listening = z.object({ port: z.int() })
const loadResult = z.object({
  count: z.int(),
  failed: z.int(),
  statuses: z.record(z.string(), z.int()),
  perSecond: z.number(),
  p50_ms: z.number(),
  p99_ms: z.number(),
  cores: z.number(),
  good: z.object({ perSecond: z.number(), p50_ms: z.number().catch(0), p99_ms: z.number().catch(0) }),
})

/** Starts everything and fills it with data. */
export async function openHttpSite(): Promise<HttpSite> {
  const place = scratch()
  const closing: (() => Promise<void>)[] = [async () => place.remove()]
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) await step()
  }
  try {
    const product = await startProduct({ dataDir: place.folder })
    closing.push(() => product.stop())
    return await openBeside(product, closing, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function openBeside(
  product: ProductProcess,
  closing: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<HttpSite> {
  const connection = await findRunningPostgres(path.join(product.dataDir, 'postgres'))
  if (!connection) throw new Error('The Postgres of the product is not to be found')
  const pool = openPool(connection, 4)
  closing.push(() => pool.end())
  await pool.query(tables)
  const guilds = await found(product.url)
  const child = forkChild(new URL('../http/bare-fastify.js', import.meta.url))
  const load = forkChild(new URL('../http/http-load.js', import.meta.url))
  closing.push(
    () => child.end(),
    () => load.end(),
  )
  const invite = await sampleInvite(product.url, guilds)
  const { port } = listening.parse(
    await child.ask({ connection, connections_max: bareConnections_max, invite }, setUp_ms_max),
  )
  const postgres = await postgresProcesses(pool)
  const measuring = (server: Server): Measuring => ({ load, postgres, server, roles: { server: () => [server.pid] } })
  return {
    product,
    pool,
    connection,
    guilds,
    bare: { child, port },
    measure: (server, job) => loaded(measuring(server), job),
    measureGoodput: (server, job) => goodputOf(measuring(server), job),
    ceiling: (...args) => ceilingOf(load, ...args),
    close,
  }
}

/** Creates accounts and guilds over HTTP. */
export async function found(url: string): Promise<readonly OwnedGuild[]> {
  const people = await Promise.all(
    Array.from({ length: people_count }, (_none, index) => call(url, register(`bench${index}`))),
  )
  const foundAll = async (owner: Person): Promise<readonly OwnedGuild[]> => {
    const guilds: OwnedGuild[] = []
    for (let index = 0; index < guildsEach_count; index += 1) {
      const { id } = await call(url, createGuild(owner, `The Analytical Engine ${index}`))
      guilds.push({ ...(await call(url, getGuild(owner, id))), owner })
    }
    return guilds
  }
  return (await Promise.all(people.map(foundAll))).flat()
}

const anyObject = z.record(z.string(), z.unknown())

export async function sampleInvite(
  url: string,
  [guild]: readonly OwnedGuild[],
): Promise<Readonly<Record<string, unknown>>> {
  if (!guild) throw new Error('There is no guild')
  const { body } = await send(url, createInvite(guild.owner, guild.textChannel, { max_uses: 10, max_age: 86_400 }))
  return anyObject.parse(body)
}

/** A load, and the processes that serve it. */
export interface Measuring {
  readonly load: Child
  readonly postgres: () => readonly number[]
  readonly server: Pick<Server, 'port'>
  /** The processes of each role of the server. */
  readonly roles: Roles
}

export async function loaded(measuring: Measuring, job: Job): Promise<Sample> {
  const { result, cores } = await resultOf(measuring, job)
  const { perSecond, p50_ms, p99_ms, failed, statuses, count } = result
  if (failed > 0) throw new Error(`Not every answer was a success: ${JSON.stringify(statuses)}`)
  return { rate: perSecond, cores, details: { count, p50_ms, p99_ms } }
}

async function goodputOf(measuring: Measuring, job: Job): Promise<Sample> {
  const { result, cores } = await resultOf(measuring, job)
  const { perSecond, p50_ms, p99_ms } = result.good
  return { rate: perSecond, cores, details: { count: result.count, refused: result.failed, p50_ms, p99_ms } }
}

async function resultOf({ load, postgres, server, roles }: Measuring, job: Job) {
  const cores = measureCores({ ...roles, postgres, load: () => [load.pid] })
  const asked = await load.ask({ ...job, port: server.port }, job.seconds * 1000 + answer_ms_max)
  return { result: loadResult.parse(asked), cores: cores() }
}

async function ceilingOf(load: Child, connections: number, seconds: number): Promise<Sample> {
  const noop = forkChild(new URL('../http/noop-server.js', import.meta.url))
  try {
    const { port } = listening.parse(await noop.ask(undefined, setUp_ms_max))
    const server = { pid: noop.pid, port }
    return await loaded(
      { load, postgres: () => [], server, roles: { server: () => [noop.pid] } },
      { connections, seconds, requests: [{ method: 'GET', path: '/' }] },
    )
  } finally {
    await noop.end()
  }
}

/** The port of a URL on this machine. */
export function portOf(url: string): number {
  return Number(new URL(url).port)
}
