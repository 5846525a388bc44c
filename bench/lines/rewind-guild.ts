import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { z } from 'zod'
import { appendCommands } from '../../test/support/append-commands.ts'
import { call, register, type Person } from '../../test/support/load-api.ts'
import type { ProductProcess } from '../../test/support/product-process.ts'
import { counted } from '../communities/community-site.ts'
import { seedGuild } from '../gateway/seed-guild.ts'
import { measureCores, postgresProcesses } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, spread, verdictOf, type Comparison, type Sample } from '../support/rounds.ts'
import { withProductAndStore } from '../support/with-product-and-store.ts'

const size = { channels: 500, overwrites: 2, roles: 249 }
/** The longest that the job may take, from its request to its end. */
const took_s_max = 5
const job_ms_max = 120_000
const poll_ms = 20
const deletedAtOnce_max = 10
/** As many as the job appends at once. */
const appendEvents = 250

const tables = `
  drop schema if exists bench cascade;
  create schema bench;
  create table bench.events (like event_store.events including all)`

const queued = z.object({ job_id: z.string() })
const shown = z.object({ job: z.object({ status: z.string() }) })

/** A guild that is to be brought back. */
interface Raided {
  readonly id: string
  readonly owner: Person
  readonly channels: readonly string[]
  /** When it had all its channels. */
  readonly before: string
}

/**
 * Brings back a guild of 500 channels after somebody has deleted all of them, from the request to the end of its job, beside the
 * bare insert of as many events, the same ones, in parts of the same size.
 */
export function rewindGuildLine({ rounds }: LineSettings): Promise<Comparison> {
  return withProductAndStore(async (product, { database: { pool }, events }) => {
    await pool.query(tables)
    const root = await call(product.url, register('root'))
    await appendCommands(events, root, [{ type: 'SetAcls', acls: ['*'] }])
    const owner = await call(product.url, register('owner'))
    const id = await seedGuild(events, owner.id, size)
    const before = new Date(Date.now() + 1).toISOString()
    await counted(pool, id, 1)
    const guild = { id, owner, channels: await channelsOf(product, owner, id), before }
    const postgres = await postgresProcesses(pool)
    const sampled = async (work: () => Promise<number>): Promise<Sample> => {
      const cores = measureCores({ server: () => [product.pid], load: () => [process.pid], postgres })
      const began = performance.now()
      const events_count = await work()
      const seconds = (performance.now() - began) / 1000
      return { rate: events_count / seconds, cores: cores(), details: { seconds, events_count } }
    }
    const own = async (): Promise<Sample> => {
      await raid(product, guild)
      const last = await lastRevision(pool, id)
      const sample = await sampled(async () => {
        await rewind(product, root, guild)
        return (await lastRevision(pool, id)) - last
      })
      const back = await channelsOf(product, owner, id)
      if (back.length !== size.channels) throw new Error(`${back.length} channels are back`)
      return sample
    }
    // What there is to append is known once it was appended.
    await own()
    const compared = await compare({
      line: 'rewind-guild',
      unit: 'events/s',
      rounds,
      baseline: () => sampled(() => appendBare(pool, id)),
      product: own,
    })
    return withNote(compared)
  })
}

async function channelsOf({ url }: ProductProcess, { token }: Person, guild: string): Promise<readonly string[]> {
  const parse = (answer: unknown) => z.array(z.object({ id: z.string() })).parse(answer)
  const found = await call(url, { method: 'GET', path: `/v1/guilds/${guild}/channels`, token, parse })
  return found.map(({ id }) => id)
}

async function raid({ url }: ProductProcess, { owner: { token }, channels }: Raided): Promise<void> {
  const remove = async (channel: string): Promise<void> => {
    const answer = await fetch(`${url}/v1/channels/${channel}`, { method: 'DELETE', headers: { authorization: token } })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`Deleting a channel was answered with ${answer.status}`)
  }
  for (let from = 0; from < channels.length; from += deletedAtOnce_max)
    await Promise.all(channels.slice(from, from + deletedAtOnce_max).map(remove))
}

async function rewind({ url }: ProductProcess, { token }: Person, { id, before }: Raided): Promise<void> {
  const { job_id: job } = await call(url, {
    method: 'POST',
    path: `/v1/admin/guilds/${id}/rewind`,
    token,
    body: { to: before, dry_run: false },
    parse: (answer) => queued.parse(answer),
  })
  const deadline = performance.now() + job_ms_max
  for (;;) {
    const parse = (answer: unknown) => shown.parse(answer).job
    const { status } = await call(url, { method: 'GET', path: `/v1/admin/jobs/${job}`, token, parse })
    if (status === 'succeeded') return
    if (status === 'failed' || performance.now() > deadline) throw new Error(`The job is ${status}`)
    await pause(poll_ms)
  }
}

async function lastRevision(pool: pg.Pool, guild: string): Promise<number> {
  const { rows } = await pool.query<{ readonly last: number }>(
    'select max(revision) as last from event_store.events where stream = $1',
    [`guild-${guild}`],
  )
  return rows[0]?.last ?? -1
}

/** Inserts what the last rewind of a guild appended to its stream once more, into another table. Gives how many events that are. */
async function appendBare(pool: pg.Pool, guild: string): Promise<number> {
  await pool.query('truncate bench.events')
  const { rows } = await pool.query<{ readonly part: string; readonly count: number }>(
    `with since as (
       select max(revision) as deleted from event_store.events where stream = $1 and type = 'ChannelDeleted'
     ), parts as (
       select *, (revision - deleted - 1) / $2::int4 as part from event_store.events, since
       where stream = $1 and revision > deleted
     )
     select jsonb_agg(to_jsonb(parts) order by revision)::text as part, count(*)::int4 as count
     from parts group by part order by part`,
    [`guild-${guild}`, appendEvents],
  )
  for (const { part } of rows)
    await pool.query(
      `insert into bench.events (stream, revision, event_id, type, data, metadata)
       select stream, revision, event_id, type, data, metadata
       from jsonb_populate_recordset(null::event_store.events, $1::jsonb)`,
      [part],
    )
  return rows.reduce((sum, { count }) => sum + count, 0)
}

function withNote(compared: Comparison): Comparison {
  const secondsOf = (side: 'product' | 'baseline') =>
    spread(compared.samples.map((sample) => sample[side].details['seconds'] ?? Number.NaN))
  const own = secondsOf('product')
  const events_count = compared.samples[0]?.product.details['events_count'] ?? 0
  return {
    ...compared,
    notes: [
      `${events_count} events; the job took ${own.median.toFixed(1)} s, ${own.max.toFixed(1)} s at most; bare ${secondsOf('baseline').median.toFixed(2)} s; at most ${took_s_max} s: ${verdictOf(own.max <= took_s_max)}`,
    ],
  }
}
