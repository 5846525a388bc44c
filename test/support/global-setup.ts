import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../adapters/postgres/embedded/start.ts'
import { faultTable, faultTableVariable } from './fault-table.ts'
import { measuredPace, paceVariable } from './pace.ts'
import { makeRunFolder } from './run-folder.ts'
import { copyCluster, layClusters } from './laid-cluster.ts'
import { laidEmptyPath, laidProductPath, testServerVariable, type TestServer } from './test-database.ts'

/**
 * One real Postgres for all tests of a run, in a folder of its own; each test uses a database of its own in it. It starts when
 * the first test asks for it, so that tests without a database do not wait. At the end of the run it prints the injected
 * faults.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = makeRunFolder()
  // All temporary files of tests and their processes go here.
  process.env['TMPDIR'] = folder
  const faults = path.join(folder, 'faults')
  process.env[faultTableVariable] = faults
  process.env[paceVariable] = String(measuredPace())
  const laid = lazily(layClusters)
  const server = lazily(async () => startServer(folder, (await laid.get()).databases))
  const given = async (what = ''): Promise<unknown> => {
    if (what === laidProductPath) return (await laid.get()).product
    return what === laidEmptyPath ? (await laid.get()).empty : (await server.get()).given
  }
  const asked = createServer(({ url }, response) => {
    given(url).then(
      (answer) => response.end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  // A connection that ends while a worker asks on it would fail a test.
  asked.keepAliveTimeout = 0
  await new Promise<void>((resolve) => asked.listen(0, '127.0.0.1', resolve))
  process.env[testServerVariable] = `http://127.0.0.1:${(asked.address() as AddressInfo).port}`
  return async () => {
    const table = faultTable(faults)
    if (table !== undefined) process.stdout.write(`\nFaults that were injected\n${table}\n`)
    asked.close()
    asked.closeAllConnections()
    await (await server.started())?.postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Started {
  readonly postgres: EmbeddedPostgres
  readonly given: TestServer
}

async function startServer(folder: string, laid: string): Promise<Started> {
  const place = path.join(folder, 'postgres')
  await copyCluster(laid, place)
  const postgres = await startEmbeddedPostgres({
    folder: place,
    // Tests that kill servers start their own. Nothing in this one has to outlive the run.
    settings: { max_connections: '400', fsync: 'off', full_page_writes: 'off', autovacuum: 'off' },
  })
  return { postgres, given: postgres.connection }
}

function lazily<Value>(make: () => Promise<Value>) {
  let made: Promise<Value> | undefined
  return { get: () => (made ??= make()), started: () => made ?? Promise.resolve(undefined) }
}
