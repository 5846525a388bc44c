import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { idempotencyOver } from '../../../adapters/http/idempotency/idempotency.ts'
import { turnLife_ms, type Claimed, type Turn } from '../../../adapters/http/idempotency/idempotency-rows.ts'
import { holderClass } from '../../../adapters/http/idempotency/holder.ts'
import { memoryIdempotencyRows } from '../../support/memory/memory-idempotency-rows.ts'
import { uuid7 } from '../../../application/commands/derive-id.ts'
import { reject } from '../../../application/commands/refused.ts'
import { ReadModelsBehind } from '../../../application/failures/read-models-behind.ts'
import type { TestDatabase } from '../../support/test-database.ts'
import { database, post, postgresRows, startKeyed } from './idempotency-support.ts'
import type { Handler } from '../../../adapters/http/operation.ts'
import { act } from './operations.ts'
import { afterThisTest, codesOf, secret, startServer, testOrigins } from './support.ts'

const rowOf = (index: number, recipe = 'recipe') => ({
  id: Buffer.alloc(32, index),
  fingerprint: Buffer.alloc(32, 1),
  commandId: uuid7(index, createHash('sha256').update(recipe).digest().subarray(0, 10)),
  sealedRecipe: Buffer.from(recipe),
})

function turnIn(claimed: Claimed): Turn {
  if (claimed.outcome === 'taken') return claimed.turn
  throw new Error('the turn was not taken')
}

/** Waits until a process holds the lock that proves that it is alive. */
async function heldBy({ database: { pool } }: TestDatabase) {
  const asked = () =>
    pool.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and classid = $1 and granted
         and database = (select oid from pg_database where datname = current_database())`,
      [holderClass],
    )
  await expect.poll(async () => (await asked()).rows.length).toBe(1)
  return asked()
}

describe('an answer', () => {
  it('waits until the read models hold what was written, also a refusal', async () => {
    const waited: bigint[] = []
    const handle: Handler = async ({ caller, query }) => {
      caller.context.noteWritten(41n)
      caller.context.noteWritten(40n)
      return 'refuse' in (query as object) ? reject('UNKNOWN_CHANNEL') : {}
    }
    const server = await startServer([act(handle)], {
      readModels: { reached: async (position) => void waited.push(position) },
    })
    expect((await server.fetch('/v1/things', { method: 'POST' })).status).toBe(200)
    expect((await server.fetch('/v1/things?refuse=1', { method: 'POST' })).status).toBe(404)
    expect(waited).toEqual([41n, 41n])
  })
  it('waits for nothing where nothing was written', async () => {
    const server = await startServer([act(async () => ({}))], {
      readModels: { reached: () => Promise.reject(new Error('not asked')) },
    })
    expect((await server.fetch('/v1/things', { method: 'POST' })).status).toBe(200)
  })
  it('is 503 where they are too slow; the same key then waits for the same command', async () => {
    let behind = true
    const seen: string[] = []
    const handle: Handler = async ({ caller }) => {
      seen.push(caller.context.commandId)
      caller.context.noteWritten(1n)
      return {}
    }
    const readModels = { reached: () => (behind ? Promise.reject(new ReadModelsBehind('slow')) : Promise.resolve()) }
    const server = await startServer([act(handle)], { readModels })
    expect(await codesOf(await post(server, 'k'))).toEqual(['503 SERVICE_UNAVAILABLE'])
    behind = false
    expect((await post(server, 'k')).status).toBe(200)
    expect(seen).toEqual([seen[0], seen[0]])
  })
})

describe('rows in Postgres', () => {
  it('hold nothing of key, body, answer or identity that could be read', async () => {
    const test = await database()
    const { server } = await startKeyed(await postgresRows(test), async () => ({ token: 'canary-token' }))
    await post(server, 'canary-key', { password: 'canary-password' })
    const { rows } = await test.database.pool.query<Record<string, unknown>>('select * from http.idempotency_keys')
    expect(rows).toHaveLength(1)
    const bytes = Object.values(rows[0] ?? {}).map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
    )
    expect(bytes.join()).not.toContain('canary')
    expect(bytes.join()).not.toContain('1001')
  })
  it('can be opened by nobody with another secret: the key is then another', async () => {
    const rows = memoryIdempotencyRows()
    await post((await startKeyed(rows)).server, 'k')
    const { server, runs } = await startKeyed(rows, undefined, { secret: Buffer.alloc(32, 8) })
    await post(server, 'k')
    expect(runs).toHaveLength(1)
  })
  it('are shared by processes: one key runs once', async () => {
    const test = await database()
    const slow: Handler = async () => new Promise((resolve) => setTimeout(() => resolve({}), 50))
    const [one, other] = await Promise.all([
      startKeyed(await postgresRows(test), slow),
      startKeyed(await postgresRows(test), slow),
    ])
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => post(index % 2 === 0 ? one.server : other.server, 'k')),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(one.runs.length + other.runs.length).toBe(1)
  })
  it('are taken by another as soon as the process that had their turn has died', async () => {
    const test = await database()
    const [dying, living] = [await postgresRows(test), await postgresRows(test)]
    await dying.claim(rowOf(4))
    const { rows } = await heldBy(test)
    await dying.claim(rowOf(5))
    expect((await living.claim(rowOf(5, 'its own'))).outcome).toBe('kept')
    await test.database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await expect.poll(() => living.claim(rowOf(5, 'its own'))).toMatchObject({ outcome: 'taken', earlier: {} })
    const { rows: turns } = await test.database.pool.query<{ number: string; isYoung: boolean }>(
      `select turn::text as number, clock_timestamp() < started_at + interval '4 seconds' as "isYoung"
         from http.idempotency_keys where id = $1`,
      [rowOf(5).id],
    )
    expect(turns).toEqual([{ number: '2', isYoung: true }])
  })
  it('are taken by another some seconds after the process that had their turn hung, though its lock still stands', async () => {
    const test = await database()
    const [hanging, living] = [await postgresRows(test), await postgresRows(test)]
    await hanging.claim(rowOf(4))
    await heldBy(test)
    await hanging.claim(rowOf(5))
    const { rows } = await test.database.pool.query<{ holder: number }>(
      'select holder from http.idempotency_keys where id = $1',
      [rowOf(5).id],
    )
    // The renewal has ended; by now another connection has the lock.
    const standing = await test.database.pool.connect()
    afterThisTest(() => standing.release(true))
    const lock = standing.query('select pg_advisory_lock($1, $2)', [holderClass, rows[0]?.holder])
    await hanging.close()
    await lock
    expect((await living.claim(rowOf(5, 'its own'))).outcome).toBe('kept')
    // As if the time had passed that a turn lasts without its process.
    await test.database.pool.query(
      'update http.idempotency_keys set held_until = held_until - make_interval(secs => $2) where id = $1',
      [rowOf(5).id, turnLife_ms / 1000],
    )
    await expect.poll(() => living.claim(rowOf(5, 'its own'))).toMatchObject({ outcome: 'taken', earlier: {} })
  })
  it('are kept by a process that lives, for longer than one turn lasts without it', async () => {
    const test = await database()
    const [one, other] = [await postgresRows(test), await postgresRows(test)]
    await one.claim(rowOf(6))
    const until = () =>
      test.database.pool
        .query<{ until: string }>('select held_until::text as until from http.idempotency_keys')
        .then(({ rows }) => rows[0]?.until)
    const first = await until()
    await expect.poll(until).not.toBe(first)
    expect((await other.claim(rowOf(6))).outcome).toBe('kept')
  })
  it('keep nothing of whoever comes back after its turn was over', async () => {
    const test = await database()
    const [hanging, living] = [await postgresRows(test), await postgresRows(test)]
    const late = turnIn(await hanging.claim(rowOf(7)))
    await test.database.pool.query('update http.idempotency_keys set held_until = clock_timestamp()')
    const next = await living.claim(rowOf(7, 'its own'))
    expect(next).toMatchObject({ outcome: 'taken', earlier: { commandId: rowOf(7).commandId } })
    await hanging.remove(late)
    await hanging.release(late)
    expect(await hanging.answer(late, Buffer.from('late'))).toBe(false)
    expect((await hanging.claim(rowOf(7))).outcome).toBe('kept')
    expect(await living.answer(turnIn(next), Buffer.from('in time'))).toBe(true)
    await hanging.remove(late)
    expect(Buffer.from((await living.find(rowOf(7).id))?.sealedAnswer ?? []).toString()).toBe('in time')
  })
  it('give whoever comes back the answer of the request that took the next turn', async () => {
    const test = await database()
    let begin = (): void => undefined
    const begun = new Promise<void>((resolve) => (begin = resolve))
    let goOn = (): void => undefined
    const hanging = await startKeyed(await postgresRows(test), async () => {
      begin()
      await new Promise<void>((resolve) => (goOn = resolve))
      return reject('UNKNOWN_CHANNEL')
    })
    const living = await startKeyed(await postgresRows(test))
    const late = post(hanging.server, 'k')
    await begun
    await test.database.pool.query('update http.idempotency_keys set held_until = clock_timestamp()')
    const done = await post(living.server, 'k')
    expect([done.status, living.runs[0]?.mayRepeat]).toEqual([200, true])
    goOn()
    expect([(await late).status, await (await late).text()]).toEqual([200, await done.text()])
    expect((await post(living.server, 'k')).headers.get('idempotent-replayed')).toBe('true')
  })
  it('are had by one of 64 who ask at once, each', async () => {
    const test = await database()
    const [one, other] = [await postgresRows(test), await postgresRows(test)]
    const claims = await Promise.all(
      Array.from({ length: 64 }, (_, index) => (index % 2 === 0 ? one : other).claim(rowOf(index >> 2, `${index}`))),
    )
    expect(claims.filter(({ outcome }) => outcome === 'taken')).toHaveLength(16)
  })
  it('count as none after 24 hours, and are then removed', async () => {
    const test = await database()
    const rows = await postgresRows(test)
    const { server, runs } = await startKeyed(rows)
    const age = (hours: number) =>
      test.database.pool.query(`update http.idempotency_keys set started_at = now() - interval '${hours} hours'`)
    const count = async () => (await test.database.pool.query('select 1 from http.idempotency_keys')).rows.length
    await post(server, 'k', { a: 1 })
    await age(23)
    await rows.sweep()
    expect((await post(server, 'k', { a: 1 })).headers.get('idempotent-replayed')).toBe('true')
    await age(25)
    expect((await post(server, 'k', { a: 2 })).status).toBe(200)
    expect(runs).toHaveLength(2)
    expect((await post(server, 'k', { a: 2 })).headers.get('idempotent-replayed')).toBe('true')
    await age(25)
    await rows.sweep()
    expect(await count()).toBe(0)
  })
  it('are laid once, however many open them', async () => {
    const test = await database()
    await Promise.all([postgresRows(test), postgresRows(test), postgresRows(test)])
  })
})

describe('a reply of a keyed request', () => {
  it('may be nothing', async () => {
    const rows = memoryIdempotencyRows()
    const origins = testOrigins()
    const idempotency = idempotencyOver({ rows, origins, secret, onStoringFailure: () => undefined })
    const server = await startServer(
      [{ ...act(async () => undefined), success: { status: 204, schema: { none: true }, holdsSecret: false } }],
      { origins, idempotency },
    )
    await post(server, 'k')
    const again = await post(server, 'k')
    expect([again.status, await again.text(), again.headers.get('content-type')]).toEqual([204, '', null])
  })
  it('is parsed as it was sent', async () => {
    const { server } = await startKeyed(memoryIdempotencyRows(), async () => ({ text: 'ü "quoted" 😀' }))
    await post(server, 'k')
    expect(z.looseObject({ text: z.string() }).parse(await (await post(server, 'k')).json()).text).toBe('ü "quoted" 😀')
  })
})
