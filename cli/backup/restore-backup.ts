import { createReadStream } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { z } from 'zod'
import type { ByteStore } from '../../adapters/media/byte-store.ts'
import { openClient } from '../../adapters/postgres/client.ts'
import { openDatabase, type PostgresConnection } from '../../adapters/postgres/database.ts'
import { migrate } from '../../adapters/postgres/migrate.ts'
import { readMigrations } from '../../adapters/postgres/migrations.ts'
import { sql } from '../../application/sql/sql.ts'
import { atStandstill } from '../../projections/runner/standstill.ts'
import { forgetDerived, readingHistory } from '../history-file/from-source.ts'
import { importHistory } from '../history-file/import-history.ts'
import type { Store } from '../../process/store.ts'
import { storedParts } from '../stored-events.ts'
import { imageLines, type Backup, type RestoreSettings } from './check-backup.ts'
import { BackupRefused, historyFile } from './format.ts'
import { restoreImages } from './images.ts'
import { restoreFollowers, restoreTables } from './restore-tables.ts'
import { beginRestore } from '../../process/unfinished-restore.ts'

/**
 * The first half of a restore: marks the target as unfinished, and brings the tables beside history to what the backup has, in the
 * shape that they had there. `openStore` runs later migrations. Does again what an interrupted restore has not finished.
 */
export async function restoreBesideHistory(
  backup: Backup,
  connection: PostgresConnection,
  settings: RestoreSettings,
): Promise<void> {
  const { manifest } = backup
  const begun = await withClient(connection, (client) => beginRestore(client, manifest.id))
  if (begun.tables) return
  const database = openDatabase(connection, { connections_max: 1 })
  try {
    const migrations = await readMigrations()
    await migrate({ database, connection, migrations: migrations.slice(0, manifest.migrations.length) })
  } finally {
    await database.close()
  }
  await restoreTables(backup, connection, settings)
}

/**
 * The second half: events, keys, followers and images, while no other process may project. The target stays marked
 * as unfinished: its read models are still to be built, and `endRestore` makes it an instance.
 */
export async function restoreHistory(
  backup: Backup,
  store: Store,
  images: ByteStore,
  { signal, onProgress }: RestoreSettings,
): Promise<void> {
  const { pool } = store.database
  await atStandstill(pool, async (standstill) => {
    const both = AbortSignal.any([signal, standstill.lost])
    await forgetDerived(store.database, standstill)
    await restoreEvents(backup, store, { signal: both, onProgress })
    await restoreFollowers(backup, store.database, store.stored)
    onProgress(0, 'images')
    const count = await restoreImages(images, backup.folder, imageLines(backup), both)
    if (count !== backup.manifest.images)
      throw new BackupRefused(`${count} images were restored, and the backup has ${backup.manifest.images}`)
  })
}

const keyCount = z.object({ count: z.int() })

async function restoreEvents(backup: Backup, store: Store, { signal, onProgress }: RestoreSettings): Promise<void> {
  const { manifest, folder } = backup
  const source = createReadStream(path.join(folder, historyFile))
  const { found, written } = await readingHistory(source, signal, (file) =>
    importHistory(file, {
      ...storedParts(store),
      signal,
      beforeWriting: async () => undefined,
      // The backup was checked to its end.
      examine: async () => undefined,
      onProgress: (at) =>
        onProgress((at.found + at.written) / Math.max(manifest.events, 1), `${at.found + at.written} events`),
    }),
  )
  if (found + written !== manifest.events)
    throw new BackupRefused(`${found + written} events were restored, and the backup has ${manifest.events}`)
  const { count } = await store.database.one(sql.type(keyCount)`select count(*)::int as count from personal_data.keys`)
  if (count !== manifest.keys)
    throw new BackupRefused(`${count} keys were restored, and the backup has ${manifest.keys}`)
}

async function withClient<Result>(
  connection: PostgresConnection,
  task: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = openClient(connection)
  await client.connect()
  try {
    return await task(client)
  } finally {
    await client.end()
  }
}
