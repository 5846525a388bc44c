import { afterEach, beforeEach } from 'vitest'
import { startPostgresGate, type PostgresGate } from '../../support/postgres-gate.ts'
import { testDatabase, type TestDatabase } from '../../support/test-database.ts'

/** An empty database of each test, also through a gate. */
export interface GatedPostgres {
  readonly postgres: TestDatabase
  readonly gate: PostgresGate
  /** Called at the end of the test, before the database goes. */
  readonly cleanups: (() => Promise<void>)[]
}

/** Opens one for each test of the file. */
export function gatedPostgres(): () => GatedPostgres {
  let current: GatedPostgres | undefined
  const opened = (): GatedPostgres => {
    if (!current) throw new Error('There is a database only within tests')
    return current
  }
  beforeEach(async () => {
    const postgres = await testDatabase()
    current = { postgres, gate: await startPostgresGate(postgres.connection), cleanups: [] }
  })
  afterEach(async () => {
    const { postgres, gate, cleanups } = opened()
    gate.goOn()
    await Promise.all(cleanups.map((clean) => clean()))
    await gate.close()
    await postgres.close()
  })
  return opened
}
