import path from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { z } from 'zod'
import { findRunningPostgres } from '../../../adapters/postgres/embedded/start.ts'
import type { LoadSite } from '../../support/load-site.ts'

/** A chain of appends. The process that makes them is killed in the middle. */
export interface Chain {
  /** Starts the chain. Its rejection does not matter: the caller loses its connection. */
  readonly begin: () => Promise<unknown>
  /**
   * The first append writes one event of each of the types in `first`. No event of the types in `second` may be written after it.
   */
  readonly first: string
  readonly second: string
}

/** The lock that appends take in turn (adapters/postgres/migrations/0002-event-store.sql). */
const appendLock = 'pg_advisory_xact_lock(1196771660, 1)'
const waiters = `select count(*)::int4 as count from pg_locks
  where locktype = 'advisory' and classid = 1196771660 and objid = 1 and not granted`

const endWaiters = `select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and classid = 1196771660 and objid = 1 and not granted`

/**
 * Kills the product after the first append of a chain and before the second. The product contains no code for this. Appends take
 * turns by a lock of Postgres, which grants it in the order of the requests. So we hold the lock until the first append waits for
 * it, request it again behind that append, and release it. When we have it again, the first append is committed and the second
 * one waits.
 */
export async function killAfterFirstAppend(site: LoadSite, { begin, first, second }: Chain): Promise<void> {
  const connection = await findRunningPostgres(path.join(site.dataDir, 'postgres'))
  if (!connection) throw new Error('No Postgres runs')
  const [holder, next] = [new pg.Client(connection), new pg.Client(connection)]
  // These clients lose their connections when the product is killed.
  for (const client of [holder, next]) client.on('error', () => undefined)
  await Promise.all([holder.connect(), next.connect()])
  const before = { first: await countOfType(holder, first), second: await countOfType(holder, second) }
  await holder.query(`begin; select ${appendLock}`)
  const begun = begin().catch((error: unknown) => error)
  await expect.poll(() => countOf(holder, waiters)).toBe(1)
  await next.query('begin')
  const locked = next.query(`select ${appendLock}`)
  await expect.poll(() => countOf(holder, waiters)).toBe(2)
  await holder.query('rollback')
  await locked
  await expect.poll(() => countOf(holder, waiters)).toBe(1)
  expect(await countOfType(holder, first)).toBe(before.first + 1)
  expect(await countOfType(holder, second)).toBe(before.second)
  // The product is stopped while the waiting append is ended. Otherwise the append might get the lock when Postgres shuts down.
  process.kill(site.product.pid, 'SIGSTOP')
  await holder.query(endWaiters)
  await expect.poll(() => countOf(holder, waiters)).toBe(0)
  await site.kill()
  await begun
}

const countRow = z.object({ count: z.int() })

async function countOf(client: pg.Client, query: string, values: readonly unknown[] = []): Promise<number> {
  const { rows } = await client.query(query, [...values])
  return countRow.parse(rows[0]).count
}

function countOfType(client: pg.Client, type: string): Promise<number> {
  return countOf(client, 'select count(*)::int4 as count from event_store.events where type = $1', [type])
}
