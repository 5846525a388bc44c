import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '../../adapters/postgres/embedded/start.js'
import { faultTable, faultTableVariable } from './fault-table.js'

/**
 * One real Postgres for all tests of a run, in a folder of its own; each test takes a database of its own in it. At the end
 * of the run it prints what the faults came to that were injected.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'guildhall-tests-'))
  const postgres = await startEmbeddedPostgres({
    folder: path.join(folder, 'postgres'),
    // Tests that kill servers start their own; in this one nothing has to outlive the run.
    settings: { max_connections: '400', fsync: 'off' },
  })
  process.env['GUILDHALL_TEST_POSTGRES'] = JSON.stringify(postgres.connection)
  const faults = path.join(folder, 'faults')
  process.env[faultTableVariable] = faults
  return async () => {
    const table = faultTable(faults)
    if (table !== undefined) process.stdout.write(`\nFaults that were injected\n${table}\n`)
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
