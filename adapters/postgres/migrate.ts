import pg, { type ClientBase } from 'pg'
import { z } from 'zod'
import {
  openDatabase,
  requestAnswer_ms_max,
  requestStandstill_ms_max,
  type PostgresConnection,
  type PostgresDatabase,
} from './database.ts'
import { readMigrations, titleOf, type Migration } from './migrations.ts'
import { orPostgresUnavailable, PostgresUnavailable } from './postgres-unavailable.ts'

/** The database has run migrations that this program does not know: a newer version was here. */
export class DatabaseIsNewer extends Error {
  override readonly name = 'DatabaseIsNewer'

  constructor(newest: RanMigration, known: number) {
    super(
      `The database belongs to a newer version of Guildhall: it has run migration ${titleOf(newest)}, and this version knows ${known} migrations. Start the newer version, or put back the dump of Postgres from before the upgrade`,
    )
  }
}

/** The database has run a migration with other statements than this program's. */
export class MigrationChanged extends Error {
  override readonly name = 'MigrationChanged'

  constructor(migration: Migration) {
    super(
      `Migration ${titleOf(migration)} has other statements here than those that the database has run. Start a released version of Guildhall. If you changed the file, put it back and write a new migration instead`,
    )
  }
}

export interface MigrateSettings {
  /** Its ledger is read. Nothing else happens if no migration is due. */
  readonly database: Pick<PostgresDatabase, 'pool'>
  /** Connects to the same database, for migrations that are due. */
  readonly connection: PostgresConnection
  /** For tests: others than those of this program. */
  readonly migrations?: readonly Migration[]
  /** For tests. */
  readonly lockWait_ms?: number
}

const ranMigration = z.object({ number: z.int(), name: z.string(), digest: z.string() })
type RanMigration = z.infer<typeof ranMigration>

/** Two-int key of an advisory lock, held by the one process that runs migrations. */
const migrating = { class: 1196771700, key: 1 } as const

/** How long migrations wait for another process that runs them or uses a table. */
export const lockWait_ms_max = requestAnswer_ms_max
/** lock_not_available, deadlock_detected */
const tablesAreInUse: ReadonlySet<string | undefined> = new Set(['55P03', '40P01'])

/**
 * Brings the tables beside history to the shape that this program knows. All due migrations run in one transaction. One process
 * runs them, and the others wait. Returns those that this process has run. If none is due, it reads the ledger and changes
 * nothing, so the database account needs no right to make tables.
 *
 * Rejects with DatabaseIsNewer, MigrationChanged, or PostgresUnavailable after `lockWait_ms_max`; nothing has changed then.
 * Source: decision 68.
 */
export async function migrate(settings: MigrateSettings): Promise<readonly Migration[]> {
  const { database, connection, migrations = await readMigrations(), lockWait_ms = lockWait_ms_max } = settings
  if (dueOf(migrations, await readLedger(database.pool)).length === 0) return []
  // Statements have no time limit here: an index on a large table takes long.
  const own = openDatabase(connection, {
    purpose: 'migrations',
    connections_max: 1,
    standstill_ms_max: requestStandstill_ms_max,
  })
  try {
    return await runDue(own.pool, migrations, lockWait_ms)
  } finally {
    await own.close()
  }
}

/** The migrations that the next start runs; changes nothing. Rejects with DatabaseIsNewer and MigrationChanged. */
export async function dueMigrations({ pool }: Pick<PostgresDatabase, 'pool'>): Promise<readonly Migration[]> {
  return dueOf(await readMigrations(), await readLedger(pool))
}

async function runDue(
  pool: pg.Pool,
  migrations: readonly Migration[],
  lockWait_ms: number,
): Promise<readonly Migration[]> {
  const client = await pool.connect()
  try {
    await client.query(`begin; set local lock_timeout = ${lockWait_ms}`)
    await client.query('select pg_advisory_xact_lock($1, $2)', [migrating.class, migrating.key])
    const due = dueOf(migrations, await readLedger(client))
    for (const migration of due) await run(client, migration)
    await client.query('commit')
    return due
  } catch (error) {
    throw orUnavailable(error)
  } finally {
    // Closing the connection undoes what was not committed.
    client.release(true)
  }
}

async function run(client: ClientBase, migration: Migration): Promise<void> {
  const { number, name, digest, statements } = migration
  try {
    await client.query(statements)
  } catch (error) {
    const known = orUnavailable(error)
    if (known instanceof PostgresUnavailable) throw known
    throw new Error(`Migration ${titleOf(migration)} failed: ${messageOf(error)}`, { cause: error })
  }
  await client.query('insert into ledger.migrations (number, name, digest) values ($1, $2, $3)', [number, name, digest])
}

/** PostgresUnavailable for errors that pass by waiting; otherwise the error itself. */
function orUnavailable(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && tablesAreInUse.has(error.code))
    return new PostgresUnavailable('The tables are in use, or another process is migrating them', { cause: error })
  return orPostgresUnavailable(error)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether the database has ever been migrated. */
export async function hasLedger(client: Pick<ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query(`select from pg_class where oid = to_regclass('ledger.migrations')`)
  return rows.length > 0
}

/** The migrations that the database has run. Empty if it is new or older than the ledger. */
async function readLedger(client: Pick<ClientBase, 'query'>): Promise<readonly RanMigration[]> {
  if (!(await hasLedger(client))) return []
  const { rows } = await client.query('select number, name, digest from ledger.migrations order by number')
  return z.array(ranMigration).parse(rows)
}

function dueOf(migrations: readonly Migration[], ran: readonly RanMigration[]): readonly Migration[] {
  const newest = ran.at(-1)
  if (newest && newest.number > migrations.length) throw new DatabaseIsNewer(newest, migrations.length)
  const digests = new Map(ran.map(({ number, digest }) => [number, digest]))
  const changed = migrations.find(({ number, digest }) => (digests.get(number) ?? digest) !== digest)
  if (changed) throw new MigrationChanged(changed)
  return migrations.filter(({ number }) => !digests.has(number))
}
