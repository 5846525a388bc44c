import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hearBreakingConnections } from '../../../adapters/jobs/breaking-connections.js'
import { openDatabase } from '../../../adapters/postgres/database.js'
import { startPostgresGate, type PostgresGate } from '../../support/postgres-gate.js'
import { laidDatabase, type TestDatabase } from '../../support/test-database.js'
import { workshop, type TestWorker, type Workshop } from './support/workshop.js'

let postgres: TestDatabase
let gate: PostgresGate
let at: Workshop
const unhandled: unknown[] = []
const note = (error: unknown): void => void unhandled.push(error)
beforeEach(async () => {
  postgres = await laidDatabase()
  gate = await startPostgresGate(postgres.connection)
  at = await workshop({ connection: gate.connection })
  process.on('unhandledRejection', note)
})
afterEach(async () => {
  process.off('unhandledRejection', note)
  await at.close()
  await gate.close()
  await postgres.close()
})

/** Resolves when a worker sends a statement that begins with the text. It is called before the worker connects. */
function sent({ pool: { pool } }: TestWorker, beginning: string, onSent = (): void => undefined): Promise<void> {
  return new Promise((resolve) => {
    pool.on('connect', (client: pg.PoolClient) => {
      const query = client.query.bind(client) as (...parameters: unknown[]) => unknown
      Object.assign(client, {
        query: (...parameters: unknown[]) => {
          if (String(parameters[0]).startsWith(beginning)) {
            onSent()
            resolve()
          }
          return query(...parameters)
        },
      })
    })
  })
}

describe('a worker that is stopped before Postgres has answered that it listens', () => {
  it('may lose its connection: no rejection is left that would end the process', async () => {
    const worker = at.work({})
    const listens = sent(worker, 'LISTEN', () => gate.stall())
    const listensNoMore = sent(worker, 'UNLISTEN')
    await listens
    const stopped = worker.stop()
    await listensNoMore
    await gate.shut()
    gate.goOn()
    await gate.open()
    await stopped
    expect(unhandled).toStrictEqual([])
  })
})

describe('a pool of the job queue that has ended', () => {
  it('gives nothing to release to whoever still asks for a connection', async () => {
    const database = openDatabase(postgres.connection)
    hearBreakingConnections(database, at.logger)
    await database.close()
    const given = await new Promise<readonly unknown[]>((resolve) => {
      database.pool.connect((...answer) => resolve(answer))
    })
    expect(given).toStrictEqual([new Error('Cannot use a pool after calling end on the pool'), undefined, undefined])
  })
})
