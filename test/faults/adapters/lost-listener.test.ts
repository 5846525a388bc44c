import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forgiveSecondRelease } from '../../../adapters/jobs/breaking-connections.ts'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import { startPostgresGate, type PostgresGate } from '../../support/postgres-gate.ts'
import { hearStatements } from '../../support/statements.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'
import { workshop, type Workshop } from '../../adapters/jobs/support/workshop.ts'

let postgres: TestDatabase
let gate: PostgresGate
let at: Workshop
let stopHearing = (): void => undefined
const unhandled: unknown[] = []
const note = (error: unknown): void => void unhandled.push(error)
beforeEach(async () => {
  postgres = await laidDatabase()
  gate = await startPostgresGate(postgres.connection)
  at = await workshop({ connection: gate.connection })
  process.on('unhandledRejection', note)
})
afterEach(async () => {
  stopHearing()
  process.off('unhandledRejection', note)
  await at.close()
  await gate.close()
  await postgres.close()
})

describe('a worker that is stopped before Postgres has answered that it listens', () => {
  it('may lose its connection: no rejection is left that would end the process', async () => {
    const statements: string[] = []
    stopHearing = hearStatements((text, on) => {
      if (on !== at.connection.database) return
      statements.push(text)
      if (text.startsWith('LISTEN')) gate.stall()
    })
    const sent = (beginning: string) => () => statements.some((text) => text.startsWith(beginning))
    const worker = at.work({})
    await expect.poll(sent('LISTEN')).toBe(true)
    const stopped = worker.stop()
    await expect.poll(sent('UNLISTEN')).toBe(true)
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
    forgiveSecondRelease(database)
    await database.close()
    const given = await new Promise<readonly unknown[]>((resolve) => {
      database.pool.connect((...answer) => resolve(answer))
    })
    expect(given).toStrictEqual([new Error('Cannot use a pool after calling end on the pool'), undefined, undefined])
  })
})
