import { createInterface } from 'node:readline'
import { findRunningPostgres, startEmbeddedPostgres } from '../../../../adapters/postgres/embedded/start.ts'

/**
 * A process of ours for tests to kill. It starts Postgres on a given folder and prints one line of JSON: the connection or the
 * error. `stop` or the end of its input stops it. On SIGINT it prints that, like an application that drains.
 */
const [folder = ''] = process.argv.slice(2)
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)

process.on('SIGINT', () => say({ interrupted: true }))
try {
  const postgres = await startEmbeddedPostgres({ folder, log: (line) => process.stderr.write(`${line}\n`) })
  say({ connection: postgres.connection, found: await findRunningPostgres(folder) })
  createInterface({ input: process.stdin }).on('close', () => void postgres.stop().then(() => process.exit(0)))
} catch (error) {
  say({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
  process.exitCode = 1
}
