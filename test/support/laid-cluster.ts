import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { openDatabase, type PostgresConnection } from '../../adapters/postgres/database.js'
import { startEmbeddedPostgres } from '../../adapters/postgres/embedded/start.js'
import { migrate } from '../../adapters/postgres/migrate.js'
import { laidTemplate, migratedTemplate, onServer } from './test-database.js'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const kept = path.join(root, 'node_modules/.cache/guildhall-laid')

/**
 * Puts a Postgres cluster into a folder, with the databases `migratedTemplate` and `laidTemplate`. It is made once and kept for
 * later runs, until the text of a table, the code that makes tables, or a package changes.
 */
export async function layCluster(folder: string): Promise<void> {
  const same = path.join(kept, nameOfState())
  if (existsSync(same)) {
    await copy(same, folder)
    return
  }
  await lay(folder)
  await keep(folder, same)
}

async function lay(folder: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ folder, settings: { fsync: 'off', full_page_writes: 'off' } })
  try {
    await onServer(postgres.connection, `create database ${migratedTemplate}`)
    await migrateAll({ ...postgres.connection, database: migratedTemplate })
    await onServer(postgres.connection, `create database ${laidTemplate} template ${migratedTemplate}`)
    const connection = { ...postgres.connection, database: laidTemplate }
    await run(process.execPath, [path.join(root, 'dist/test/support/lay-tables.js'), JSON.stringify(connection)])
  } finally {
    await postgres.stop()
  }
}

async function migrateAll(connection: PostgresConnection): Promise<void> {
  const database = openDatabase(connection)
  await migrate({ database, connection })
  await database.close()
}

async function keep(folder: string, same: string): Promise<void> {
  mkdirSync(kept, { recursive: true })
  const older = readdirSync(kept).filter((name) => !name.includes('.'))
  for (const name of older) rmSync(path.join(kept, name), { recursive: true, force: true })
  const copied = `${same}.${process.pid}`
  await copy(folder, copied)
  // Another run may have been faster.
  if (existsSync(same)) rmSync(copied, { recursive: true })
  else renameSync(copied, same)
}

/** Keeps owners and permissions: Postgres runs as another account if the tests run as root. */
async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to])
}

function nameOfState(): string {
  const hash = createHash('sha256').update(String(process.getuid?.()))
  for (const file of decisive()) hash.update(readFileSync(path.join(root, file)))
  return hash.digest('hex').slice(0, 32)
}

function decisive(): readonly string[] {
  const files = ['projections', 'adapters'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  )
  const laying = files.filter(
    (file) => file.endsWith('.sql') || /^(?:projections.runner|adapters.postgres)\b.*\.ts$/.test(file),
  )
  return ['package-lock.json', 'test/support/lay-tables.ts', ...laying.toSorted()]
}
