import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '../../adapters/postgres/embedded/start.js'

/** One real Postgres for all tests of a run, in a folder of its own; each test takes a database of its own in it. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'guildhall-tests-'))
  const postgres = await startEmbeddedPostgres({
    folder: path.join(folder, 'postgres'),
    // Tests that kill servers start their own; in this one nothing has to outlive the run.
    settings: { max_connections: '400', fsync: 'off' },
  })
  process.env['GUILDHALL_TEST_POSTGRES'] = JSON.stringify(postgres.connection)
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
