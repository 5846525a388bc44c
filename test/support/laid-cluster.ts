import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { openDatabase, type PostgresConnection } from '../../adapters/postgres/database.ts'
import { startEmbeddedPostgres } from '../../adapters/postgres/embedded/start.ts'
import { migrate } from '../../adapters/postgres/migrate.ts'
import { laidTemplate, migratedTemplate, onServer } from './test-database.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const kept = path.join(root, 'node_modules/.cache/guildhall-laid')

/** Postgres clusters, as folders to copy. */
export interface LaidClusters {
  /** Has the databases `migratedTemplate` and `laidTemplate`. */
  readonly databases: string
  /** Has every table of the product where a product that runs its own Postgres keeps them. */
  readonly product: string
  /** Has no tables: what the first start of a Postgres leaves. */
  readonly empty: string
}

/**
 * Makes the clusters. They are made once and kept for later runs, until the text of a table, the code that makes tables, or a
 * package changes.
 */
export async function layClusters(): Promise<LaidClusters> {
  const same = path.join(kept, nameOfState())
  if (!existsSync(same)) {
    mkdirSync(kept, { recursive: true })
    const made = `${same}.${process.pid}`
    mkdirSync(made)
    // Postgres may run as another account.
    chmodSync(made, 0o755)
    const { databases, product, empty } = clustersIn(made)
    await Promise.all([layDatabases(databases), layProduct(product), layEmpty(empty)])
    keep(made, same)
  }
  return clustersIn(same)
}

const clustersIn = (folder: string): LaidClusters => ({
  databases: path.join(folder, 'databases'),
  product: path.join(folder, 'product'),
  empty: path.join(folder, 'empty'),
})

/** Copies a cluster. Keeps owners and permissions: Postgres runs as another account if the tests run as root. */
export async function copyCluster(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to])
}

const unsafe = { fsync: 'off', full_page_writes: 'off' }

async function layDatabases(folder: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ folder, settings: unsafe })
  try {
    await onServer(postgres.connection, `create database ${migratedTemplate}`)
    await migrateAll({ ...postgres.connection, database: migratedTemplate })
    await onServer(postgres.connection, `create database ${laidTemplate} template ${migratedTemplate}`)
    await layTables({ ...postgres.connection, database: laidTemplate })
  } finally {
    await postgres.stop()
  }
}

async function layProduct(folder: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ folder, settings: unsafe })
  try {
    await layTables(postgres.connection)
  } finally {
    await postgres.stop()
  }
}

async function layEmpty(folder: string): Promise<void> {
  await (await startEmbeddedPostgres({ folder })).stop()
}

async function layTables(connection: PostgresConnection): Promise<void> {
  await run(process.execPath, [path.join(root, 'dist/test/support/lay-tables.js'), JSON.stringify(connection)])
}

async function migrateAll(connection: PostgresConnection): Promise<void> {
  const database = openDatabase(connection)
  await migrate({ database, connection })
  await database.close()
}

/** Another run may have been faster, and may be copying from what it has kept. */
function keep(made: string, same: string): void {
  const older = readdirSync(kept).filter((name) => !name.includes('.') && name !== path.basename(same))
  for (const name of older) rmSync(path.join(kept, name), { recursive: true, force: true })
  if (existsSync(same)) rmSync(made, { recursive: true })
  else renameSync(made, same)
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
  return ['package-lock.json', 'test/support/lay-tables.ts', 'test/support/laid-cluster.ts', ...laying.toSorted()]
}
