import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../adapters/postgres/migrate.ts'
import { readMigrations } from '../../adapters/postgres/migrations.ts'
import { tableParts } from '../../cli/backup/check-backup.ts'
import { fileEntryOf, manifestLine, manifestText, type TableCount } from '../../cli/backup/format.ts'
import { columnsOf, rowDigest, textOf } from '../../cli/backup/table-file.ts'
import { testDatabase } from '../support/test-database.ts'
import { emptyPlace, playScene, seenBy } from './support/backup-scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The number of migrations that the older version had: before `awaits_flag` came to started_sessions.accounts. */
const older_migrations = 20

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder('backup')
})

/** Gives a backup the tables that an older version had. */
async function age(backup: string): Promise<void> {
  const { connection, database, close } = await testDatabase()
  onTestFinished(() => close())
  const migrations = await readMigrations()
  await migrate({ database, connection, migrations: migrations.slice(0, older_migrations) })
  const tables: TableCount[] = []
  let text = ''
  for await (const part of tableParts({ folder: backup })) {
    if (part.kind === 'follower') {
      text += textOf(part)
      continue
    }
    const { name, columns } = part.table
    const { rows } = await database.pool.query('select to_regclass($1) is not null as there', [name])
    const isThere = (rows as readonly { readonly there: boolean }[])[0]?.there === true
    const known = new Set(isThere ? (await columnsOf(database, name)).map((column) => column.name) : [])
    if (isThere) text += textOf({ kind: 'table', name, columns: columns.filter((column) => known.has(column)) })
    const digest = rowDigest()
    for await (const some of part.rows) {
      const aged = some.map((row) => row.filter((_, index) => known.has(columns[index] ?? '')))
      digest.add(aged)
      if (isThere) text += textOf({ kind: 'rows', rows: aged })
    }
    if (isThere) tables.push({ name, ...digest.done() })
  }
  const tablesFile = path.join(backup, 'tables.jsonl')
  await writeFile(tablesFile, text)
  const file = path.join(backup, 'manifest.json')
  const manifest = manifestLine.parse(JSON.parse((await readFile(file, 'utf8')).split('\n')[0] ?? ''))
  const entry = await fileEntryOf('tables.jsonl', tablesFile)
  const files = manifest.files.map((each) => (each.name === entry.name ? entry : each))
  const had = manifest.migrations.slice(0, older_migrations)
  await writeFile(file, manifestText({ ...manifest, migrations: had, tables, files }))
}

describe('a backup of an older version', () => {
  it('is upgraded like a database of that version: later migrations run on its rows', async () => {
    const [source, target] = [await emptyPlace({ isLaid: true }), await emptyPlace()]
    onTestFinished(async () => {
      await source.close()
      await target.close()
    })
    const server = await source.serve()
    const scene = await playScene(server)
    const before = await seenBy(server, scene)
    const backup = path.join(folder, 'backup')
    expect(await source.guildhall('backup', backup)).toMatchObject({ code: 0 })
    await age(backup)
    expect(await target.guildhall('restore', backup)).toMatchObject({ code: 0 })
    // The rows of the older version get what the migration gives them.
    expect(await target.rows('select distinct awaits_flag from started_sessions.accounts')).toStrictEqual([
      { awaits_flag: true },
    ])
    expect(await target.rows('select max(number) as number from ledger.migrations')).toStrictEqual(
      await source.rows('select max(number) as number from ledger.migrations'),
    )
    expect(await seenBy(await target.serve(), scene)).toStrictEqual(before)
  })
})
