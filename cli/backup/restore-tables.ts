import { z } from 'zod'
import { monthsIn } from '../../adapters/messages/months.ts'
import { openDatabase, type PostgresConnection } from '../../adapters/postgres/database.ts'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import type { StoredEvents } from '../../application/ports/stored-events.ts'
import { messageId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { keptTables } from './beside-tables.ts'
import { refuseOtherCounts, tableParts, type Backup, type RestoreSettings, type TablePart } from './check-backup.ts'
import { BackupRefused, type TableCount } from './format.ts'
import { columnsOf, exactSession, rowDigest, rowsOf, statement, type Column, type Row } from './table-file.ts'
import { noteTables } from '../../process/unfinished-restore.ts'

const nothing = z.object({})
const messagesTable = 'messages.messages'

/**
 * Restores the tables beside history in one transaction, and reads them again: rejects, with nothing written, if their rows are
 * not those of the backup. The tables must have run the backup's migrations and no others.
 */
export async function restoreTables(
  backup: Backup,
  connection: PostgresConnection,
  { signal, onProgress }: RestoreSettings,
): Promise<void> {
  const database = openDatabase(connection, { connections_max: 1, session: exactSession })
  try {
    await database.transaction(async (queries) => {
      const restored: TableCount[] = []
      for await (const part of tableParts(backup)) {
        signal.throwIfAborted()
        if (part.kind === 'follower') continue
        onProgress(restored.length / keptTables.length, `table ${part.table.name}`)
        restored.push(await restoreTable(queries, part, signal))
      }
      refuseOtherCounts(backup.manifest.tables, restored)
      await queries.any(statement(nothing, noteTables))
    })
  } finally {
    await database.close()
  }
}

async function restoreTable(
  queries: Queries,
  { table, rows }: Extract<TablePart, { readonly kind: 'table' }>,
  signal: AbortSignal,
): Promise<TableCount> {
  const { name } = table
  const kept = keptTables.find((each) => each.name === name)
  const known = new Map((await columnsOf(queries, name)).map((column) => [column.name, column]))
  const columns = table.columns.flatMap((column) => known.get(column) ?? [])
  if (!kept || columns.length !== table.columns.length)
    throw new BackupRefused(`The table ${name} of the backup has columns that this program does not know`)
  for await (const some of rows) {
    signal.throwIfAborted()
    if (name === messagesTable) await layMonths(queries, columns, some)
    await insert(queries, name, columns, some)
  }
  for (const { name: column, identity } of columns) if (identity) await continueNumbers(queries, name, column)
  const digest = rowDigest()
  for await (const some of rowsOf(queries, kept, columns)) digest.add(some)
  return { name, ...digest.done() }
}

async function insert(queries: Queries, name: string, columns: readonly Column[], rows: readonly Row[]): Promise<void> {
  const names = columns.map(({ quoted }) => quoted).join(', ')
  const values = columns.map(({ type }, index) => `(r.item ->> ${index})::${type}`).join(', ')
  const text = `insert into ${name} (${names}) overriding system value
    select ${values} from json_array_elements($1::json) r (item)`
  await queries.any(statement(nothing, text, [JSON.stringify(rows)]))
}

/** A message needs the part of its month. */
async function layMonths(queries: Queries, columns: readonly Column[], rows: readonly Row[]): Promise<void> {
  const months = monthsIn(queries)
  const at = columns.findIndex(({ name }) => name === 'id')
  for (const row of rows) await months.lay(messageId(snowflake(row[at] ?? '')))
}

/** The next row gets a number above those that were restored. */
async function continueNumbers(queries: Queries, name: string, column: string): Promise<void> {
  await queries.any(
    statement(
      nothing,
      `select setval(pg_get_serial_sequence($1, $2), max(${column})) from ${name} having max(${column}) is not null`,
      [name, column],
    ),
  )
}

/** Lets each follower continue after the event that it handled last, wherever that is in this store. */
export async function restoreFollowers(backup: Backup, queries: Queries, stored: StoredEvents): Promise<void> {
  for await (const part of tableParts(backup)) {
    if (part.kind === 'table') {
      for await (const rows of part.rows) void rows
      continue
    }
    const { name, event } = part
    const position = event === null ? beforeAll : (await stored.find(event.stream, event.revision))?.position
    if (position === undefined)
      throw new BackupRefused(`The backup lacks the event at which the follower ${name} stands`)
    await queries.any(sql.type(nothing)`
      insert into followers.checkpoints (name, position) values (${name}, ${position})
      on conflict (name) do update set position = excluded.position`)
  }
}
