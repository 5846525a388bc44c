import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { ByteStore } from '../../adapters/media/byte-store.ts'
import { wrappedKeys } from '../../adapters/personal-data/wrapped-keys.ts'
import type { PostgresConnection } from '../../adapters/postgres/database.ts'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import type { StoredEvents } from '../../application/ports/stored-events.ts'
import { historyText, type ExportProgress } from '../history-file/write-history.ts'
import { keptTables } from './beside-tables.ts'
import {
  fileEntryOf,
  format,
  historyFile,
  imagesFile,
  keyFile,
  manifestFile,
  manifestText,
  tablesFile,
  version,
  type FileEntry,
  type Manifest,
  type TableCount,
} from './format.ts'
import { copyImages, type ImageLine } from './images.ts'
import { atQuietInstant, type Instant } from './quiet-instant.ts'
import { tableText, textOf } from './table-file.ts'

export interface BackupSettings {
  readonly connection: PostgresConnection
  readonly stored: StoredEvents
  readonly images: ByteStore
  readonly personalDataKey: Uint8Array
  /** Whether the backup holds PERSONAL_DATA_KEY itself. */
  readonly withKey: boolean
  readonly signal: AbortSignal
  /** Called with a share from 0 to 1 of a step, and a text. */
  readonly onProgress: (share: number, text: string) => void
}

/**
 * Writes a backup as a folder, which must not exist or be empty. The folder gets its name once the backup is complete. No other
 * user may read it: it holds messages in clear text.
 */
export async function writeBackup(folder: string, settings: BackupSettings): Promise<Manifest> {
  const part = `${folder}.part`
  await rm(part, { recursive: true, force: true })
  await mkdir(part, { mode: 0o700 })
  try {
    const manifest = await fill(part, settings)
    await writeFile(path.join(part, manifestFile), manifestText(manifest), { mode: 0o600, flush: true })
    await syncFolder(part)
    await rename(part, folder)
    await syncFolder(path.dirname(folder))
    return manifest
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw error
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Images are copied before the instant, because an image may be removed after it; those stored since are copied afterwards, because
 * an event up to the instant may name them.
 */
async function fill(folder: string, settings: BackupSettings): Promise<Manifest> {
  const { connection, stored, images, signal, personalDataKey, withKey } = settings
  const began = Date.now()
  let imageCount = 0
  const text = async function* (lines: AsyncIterable<readonly ImageLine[]>): AsyncGenerator<string> {
    for await (const some of lines) {
      imageCount += some.length
      settings.onProgress(0, `${imageCount} images`)
      for (const line of some) yield `${JSON.stringify(line)}\n`
    }
  }
  const file = (name: string): string => path.join(folder, name)
  await writeText(file(imagesFile), text(copyImages(images, folder, signal)))
  const taken = await atQuietInstant(connection, stored, signal, (instant) => takeInstant(folder, instant, settings))
  await writeText(file(imagesFile), text(copyImages(images, folder, signal, began)), 'a')
  const names: FileEntry['name'][] = [historyFile, tablesFile, imagesFile]
  if (withKey) {
    await writeText(file(keyFile), [Buffer.from(personalDataKey).toString('base64')])
    names.push(keyFile)
  }
  const files = await Promise.all(names.map((name) => fileEntryOf(name, file(name))))
  const { fingerprint } = wrappedKeys(nobody, personalDataKey)
  const own = { format, version, id: randomUUID(), store: stored.kind, personalDataKey: fingerprint } as const
  return { ...own, ...taken, images: imageCount, files }
}

const nobody = { any: () => Promise.reject(new Error('This only identifies the key')) }

type Taken = Pick<Manifest, 'takenAt' | 'events' | 'keys' | 'tables' | 'followers' | 'migrations'>

/** Writes the tables, the events and the keys as of an instant. */
async function takeInstant(folder: string, instant: Instant, settings: BackupSettings): Promise<Taken> {
  const { stored, signal, personalDataKey } = settings
  const { queries, end } = instant
  const takenAt = new Date().toISOString()
  const migrations = await queries.any(sql.type(migrationRow)`
    select number, name, digest from ledger.migrations order by number`)
  const tables: TableCount[] = []
  let followers = 0
  const text = async function* (): AsyncGenerator<string> {
    for (const table of keptTables) {
      signal.throwIfAborted()
      settings.onProgress(tables.length / keptTables.length, `table ${table.name}`)
      tables.push(yield* tableText(queries, table))
    }
    for await (const line of followersText(queries, stored)) {
      followers += 1
      yield line
    }
  }
  await writeText(path.join(folder, tablesFile), text())
  let done: Pick<ExportProgress, 'events' | 'keys'> = { events: 0, keys: 0 }
  const onProgress = (progress: ExportProgress): void => {
    done = progress
    settings.onProgress(Number(progress.position) / Number(progress.end), `${progress.events} events`)
  }
  const keys = wrappedKeys(queries, personalDataKey)
  const history = historyText({ stored, after: beforeAll, end, keys, signal, onProgress })
  await writeText(path.join(folder, historyFile), history)
  return { takenAt, events: done.events, keys: done.keys, tables, followers, migrations: [...migrations] }
}

const migrationRow = z.object({ number: z.int(), name: z.string(), digest: z.string() })
const checkpointRow = z.object({ name: z.string(), position: z.coerce.bigint() })

/** How far each follower has come, as an event. One that stands at no event is left out: it begins anew at the end. */
async function* followersText(queries: Queries, stored: StoredEvents): AsyncGenerator<string> {
  const checkpoints = await queries.any(sql.type(checkpointRow)`
    select name, position from followers.checkpoints order by name collate "C"`)
  for (const { name, position } of checkpoints) {
    const event = position === beforeAll ? null : await stored.at(position)
    if (event === undefined) continue
    const named = event && { stream: event.stream, revision: event.revision }
    yield textOf({ kind: 'follower', name, event: named })
  }
}

async function writeText(file: string, text: AsyncIterable<string> | Iterable<string>, flags = 'w'): Promise<void> {
  await pipeline(Readable.from(text), createWriteStream(file, { mode: 0o600, flush: true, flags }))
}
