import type { Socket } from 'node:net'
import type { PoolClient } from 'pg'
import { describe, expect, it, vi, type TestContext } from 'vitest'
import { openDatabase, type PostgresDatabase } from '../../../adapters/postgres/database.ts'
import { heldSilence_ms_max } from '../../../adapters/postgres/held-connections.ts'
import { startPostgresGate } from '../../support/postgres-gate.ts'
import { testDatabase } from '../../support/test-database.ts'
import { paced } from '../../support/pace.ts'

/** Added to the silence: the time that a busy machine takes to notice. */
const slack_ms = 4000

interface Holder {
  readonly client: PoolClient
  /** Resolves once the client notices that its connection is lost. */
  readonly lost: Promise<void>
}

/** A database behind a gate. Each test has its own: they wait side by side. */
async function open({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const postgres = await testDatabase()
  const gate = await startPostgresGate(postgres.connection)
  const opened: PostgresDatabase[] = []
  const clients: PoolClient[] = []
  onTestFinished(async () => {
    gate.goOn()
    for (const client of clients) client.release(true)
    await Promise.all(opened.map((database) => database.close()))
    await gate.close()
    await postgres.close()
  })
  const { pool } = postgres.database
  return {
    pool,
    gate,
    holder: async (lock = 1): Promise<Holder> => {
      const database = openDatabase(gate.connection, { holdsLocks: true, onError: () => undefined })
      opened.push(database)
      const client = await database.pool.connect()
      const lost = new Promise<void>((resolve) => {
        client.on('error', () => resolve()).on('end', () => resolve())
      })
      clients.push(client)
      await client.query('select pg_advisory_lock($1)', [lock])
      return { client, lost }
    },
    /** Resolves with the milliseconds until the lock was available. */
    lockIsFree: async (lock: number): Promise<number> => {
      const began = performance.now()
      await pool.query('select pg_advisory_lock($1)', [lock])
      return performance.now() - began
    },
    serverTime: async (): Promise<number> => {
      const { rows } = await pool.query<{ ms: number }>(
        'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
      )
      return rows[0]?.ms ?? 0
    },
  }
}

describe.concurrent('a connection that holds a lock', () => {
  it('keeps it for as long as its process lives, though nothing else is said, in a transaction and outside', async (context) => {
    const { holder, serverTime } = await open(context)
    const outside = await holder(1)
    const inside = await holder(2)
    await inside.client.query('begin')
    const until = (await serverTime()) + heldSilence_ms_max + 2000
    await context.expect.poll(serverTime).toBeGreaterThan(until)
    for (const [index, { client }] of [outside, inside].entries()) {
      const { rows } = await client.query('select pg_advisory_unlock($1) as held', [index + 1])
      expect(rows).toEqual([{ held: true }])
    }
  })

  it('loses it soon after its process hangs or its host is gone, in a transaction and outside, and hears of that', async (context) => {
    const { gate, holder, lockIsFree } = await open(context)
    const outside = await holder(1)
    const inside = await holder(2)
    await inside.client.query('begin')
    gate.stall()
    const took_ms = await Promise.all([lockIsFree(1), lockIsFree(2)])
    expect(Math.max(...took_ms)).toBeLessThan(paced(heldSilence_ms_max + slack_ms))
    gate.goOn()
    for (const { client, lost } of [outside, inside]) {
      await lost
      await expect(client.query('select 1')).rejects.toThrow('not queryable')
    }
  })

  it('stays while a statement takes longer than the silence that is allowed', async (context) => {
    const { holder } = await open(context)
    const { client } = await holder()
    await client.query('select pg_sleep($1)', [(heldSilence_ms_max + 3000) / 1000])
    const { rows } = await client.query('select pg_advisory_unlock($1) as held', [1])
    expect(rows).toEqual([{ held: true }])
  })

  it('has statements that are sent in one turn leave in one write, in order', async (context) => {
    const { holder } = await open(context)
    const { client } = await holder()
    const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection
    const written = vi.spyOn(stream, '_writev')
    const alone = vi.spyOn(stream, '_write')
    const texts = ['begin', 'create temporary table sent (n int4)', 'insert into sent values (1)', 'commit']
    await Promise.all([
      ...texts.map((text) => client.query(text)),
      client.query({ name: 'named', text: 'insert into sent values ($1)', values: [2] }),
    ])
    expect([written.mock.calls.length, alone.mock.calls.length]).toStrictEqual([1, 0])
    const { rows } = await client.query('select n from sent order by n')
    expect(rows).toEqual([{ n: 1 }, { n: 2 }])
  })

  it('is broken off where Postgres does not know it any more', async (context) => {
    const { pool, gate, holder } = await open(context)
    const { client, lost } = await holder()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    // Nothing that this connection is sent arrives any more, as if the host of Postgres were lost and another took its place.
    gate.stall()
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    gate.passNew()
    await lost
  })
})
