import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { idempotencyOver } from '../../../adapters/http/idempotency/idempotency.js'
import { memoryIdempotencyRows } from '../../../adapters/http/idempotency/memory-rows.js'
import { reject } from '../../../application/commands/refused.js'
import { ReadModelsBehind } from '../../../application/ports/read-models.js'
import { database, post, postgresRows, startKeyed, type Handle } from './idempotency-support.js'
import { act } from './operations.js'
import { codesOf, secret, startServer, testOrigins } from './support.js'

describe('an answer', () => {
  it('waits until the read models hold what was written, also a refusal', async () => {
    const waited: bigint[] = []
    const handle: Handle = async ({ caller, query }) => {
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
    const handle: Handle = async ({ caller }) => {
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
    const slow: Handle = async () => new Promise((resolve) => setTimeout(() => resolve({}), 50))
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
  it('are free again when the process that had them is gone', async () => {
    const test = await database()
    const [dying, living] = [await postgresRows(test), await postgresRows(test)]
    const id = Buffer.alloc(32, 5)
    expect(await dying.lock(id)).toBeDefined()
    expect(await living.lock(id)).toBeUndefined()
    await dying.close()
    await expect.poll(() => living.lock(id)).toBeDefined()
  })
  it('can be locked again after the connection broke', async () => {
    const test = await database()
    const rows = await postgresRows(test)
    const id = Buffer.alloc(32, 6)
    const release = await rows.lock(id)
    await test.database.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    await release?.()
    await expect.poll(() => rows.lock(id).catch(() => undefined)).toBeDefined()
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
