import { createReadStream, existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import { readMigrations } from '../../adapters/postgres/migrations.ts'
import { checkHistory, type ImportProgress, type ImportSettings } from '../history-file/import-history.ts'
import { examineEvents, readingHistory } from '../history-file/from-source.ts'
import { each, faultOf, jsonOf, linesOf } from '../history-file/lines.ts'
import { keptTables } from './beside-tables.ts'
import {
  anyManifest,
  BackupRefused,
  fileEntryOf,
  format,
  historyFile,
  imagesFile,
  manifestFile,
  manifestLine,
  sealLine,
  sha256Of,
  tablesFile,
  version,
  type Manifest,
  type TableCount,
} from './format.ts'
import { checkedImage, imageLine } from './images.ts'
import { lineOfTables, rowDigest, type LineOfTables } from './table-file.ts'

/** A backup whose manifest is whole. */
export interface Backup {
  readonly folder: string
  readonly manifest: Manifest
}

/** Reads the manifest. Rejects with BackupRefused if this program can't restore such a backup. */
export async function openBackup(folder: string): Promise<Backup> {
  const file = path.join(folder, manifestFile)
  if (!existsSync(folder)) throw new BackupRefused(`There is no backup at ${folder}`)
  if (!existsSync(file))
    throw new BackupRefused(
      `${folder} is no backup, or not a whole one: it has no ${manifestFile}, which is written last`,
    )
  const [line = '', seal = ''] = (await readFile(file, 'utf8')).split('\n')
  const known = anyManifest.safeParse(jsonOf(line))
  if (!known.success) throw new BackupRefused(`${file} is not the manifest of a ${format}`)
  if (known.data.version > version)
    throw new BackupRefused(
      `The backup has version ${known.data.version} of its format, and this program knows ${version}: restore it with a newer version of Guildhall`,
    )
  if (sealLine.safeParse(jsonOf(seal)).data?.sha256 !== sha256Of(line))
    throw new BackupRefused(`${file} is not as it was written: its digest is another one`)
  const manifest = manifestLine.safeParse(jsonOf(line))
  if (!manifest.success)
    throw new BackupRefused(`${file} is not the manifest of a ${format}: ${faultOf(manifest.error)}`)
  await refuseOtherMigrations(manifest.data)
  return { folder, manifest: manifest.data }
}

async function refuseOtherMigrations({ migrations }: Manifest): Promise<void> {
  const own = await readMigrations()
  if (migrations.length > own.length)
    throw new BackupRefused(
      `The backup is of a newer version of Guildhall: its tables have ${migrations.length} migrations, and this program knows ${own.length}`,
    )
  const other = migrations.find(({ digest }, index) => own[index]?.digest !== digest)
  if (other)
    throw new BackupRefused(
      `The backup is of another version of Guildhall: its tables have run another migration ${other.number} (${other.name})`,
    )
}

export interface RestoreSettings {
  readonly signal: AbortSignal
  /** Called with a share from 0 to 1 of a step, and a text. */
  readonly onProgress: (share: number, text: string) => void
}

export interface CheckSettings extends RestoreSettings {
  /** Whether events are accepted that this program can't read. */
  readonly unreadable: boolean
}

/** Reads the whole backup. Rejects with BackupRefused or HistoryFileRefused if it is not as it was written. Writes nothing. */
export async function checkBackup(backup: Backup, settings: CheckSettings): Promise<void> {
  const { folder, manifest } = backup
  const { signal, onProgress } = settings
  for (const entry of manifest.files) {
    signal.throwIfAborted()
    onProgress(0, entry.name)
    const file = path.join(folder, entry.name)
    if (!existsSync(file)) throw new BackupRefused(`The backup lacks its file ${entry.name}`)
    const { size } = await stat(file)
    if (size !== entry.bytes)
      throw new BackupRefused(`${entry.name} has ${size} bytes, and had ${entry.bytes} when the backup was written`)
    const { sha256 } = await fileEntryOf(entry.name, file)
    if (sha256 !== entry.sha256)
      throw new BackupRefused(`${entry.name} is not as it was written: its digest is another one`)
  }
  for (const name of [historyFile, tablesFile, imagesFile])
    if (!manifest.files.some((entry) => entry.name === name)) throw new BackupRefused(`The manifest lacks ${name}`)
  await checkTables(backup)
  await checkImages(backup, signal)
  await checkEvents(backup, settings)
}

async function checkTables(backup: Backup): Promise<void> {
  const found: TableCount[] = []
  const { manifest } = backup
  let followers = 0
  for await (const part of tableParts(backup)) {
    if (part.kind === 'follower') {
      followers += 1
      continue
    }
    const digest = rowDigest()
    for await (const rows of part.rows) digest.add(rows)
    found.push({ name: part.table.name, ...digest.done() })
  }
  refuseOtherCounts(manifest.tables, found)
  if (followers !== manifest.followers) throw new BackupRefused(`${tablesFile} has other followers than the manifest`)
}

/** Rejects with BackupRefused if tables differ from those of the manifest. */
export function refuseOtherCounts(expected: readonly TableCount[], found: readonly TableCount[]): void {
  for (const [index, { name, rows, sha256 }] of expected.entries()) {
    const other = found[index]
    if (other?.name !== name) throw new BackupRefused(`${tablesFile} lacks the table ${name}`)
    if (other.rows !== rows) throw new BackupRefused(`${name} has ${other.rows} rows, and had ${rows} in the backup`)
    if (other.sha256 !== sha256) throw new BackupRefused(`The rows of ${name} are not those of the backup`)
  }
  if (found.length > expected.length) throw new BackupRefused(`${tablesFile} has tables that the manifest lacks`)
}

export type TablePart =
  | Extract<LineOfTables, { readonly kind: 'follower' }>
  | {
      readonly kind: 'table'
      readonly table: Extract<LineOfTables, { readonly kind: 'table' }>
      /** Has to be read to its end before the next part. */
      readonly rows: AsyncIterable<Extract<LineOfTables, { readonly kind: 'rows' }>['rows']>
    }

/** The tables and the followers of a backup, in their order. Rejects with BackupRefused at a table that this program doesn't know. */
export async function* tableParts({ folder }: Pick<Backup, 'folder'>): AsyncGenerator<TablePart> {
  const lines = each(jsonLines(path.join(folder, tablesFile), lineOfTables))
  let next = await lines.next()
  const rows = async function* () {
    for (next = await lines.next(); !next.done && next.value.kind === 'rows'; next = await lines.next())
      yield next.value.rows
  }
  while (!next.done) {
    const line = next.value
    if (line.kind === 'rows') throw new BackupRefused(`${tablesFile} has rows of no table`)
    if (line.kind === 'follower') {
      yield line
      next = await lines.next()
      continue
    }
    if (!keptTables.some(({ name }) => name === line.name))
      throw new BackupRefused(`${tablesFile} has the table ${line.name}, which this program does not know`)
    yield { kind: 'table', table: line, rows: rows() }
  }
}

async function checkImages(backup: Backup, signal: AbortSignal): Promise<void> {
  let count = 0
  for await (const lines of imageLines(backup)) {
    for (const line of lines) {
      signal.throwIfAborted()
      const { size_bytes: length } = await checkedImage(backup.folder, line)
      if (length !== line.bytes) throw new BackupRefused(`The image ${line.name} is not as it was written`)
    }
    count += lines.length
  }
  if (count !== backup.manifest.images)
    throw new BackupRefused(`${imagesFile} lists ${count} images, and the manifest ${backup.manifest.images}`)
}

export function imageLines({ folder }: Pick<Backup, 'folder'>) {
  return jsonLines(path.join(folder, imagesFile), imageLine)
}

async function checkEvents(
  { folder, manifest }: Backup,
  { signal, onProgress, unreadable }: CheckSettings,
): Promise<void> {
  let found = 0
  const keys = { fingerprint: manifest.personalDataKey, differing: async () => [], ...noKeys }
  const examine = unreadable ? async () => undefined : examineOrExplain
  const progress = (read: ImportProgress): void => {
    found = read.found
    onProgress(found / Math.max(manifest.events, 1), `${found} events`)
  }
  await readingHistory(createReadStream(path.join(folder, historyFile)), signal, (file) =>
    checkHistory(file, { keys, examine, signal, onProgress: progress }),
  )
  if (found !== manifest.events)
    throw new BackupRefused(`${historyFile} has ${found} events, and the manifest says ${manifest.events}`)
}

const examineOrExplain: ImportSettings['examine'] = async (events) => {
  try {
    await examineEvents(events)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BackupRefused(
      `This program can't read an event of the backup: ${reason}. Use the version that the backup was taken with, or a newer one. If that could not read the event either, restore with --unreadable`,
      { cause: error },
    )
  }
}

const noKeys = { async *readAll() {}, add: async () => undefined }

/** The lines of a file as JSON of a form, in pages. */
async function* jsonLines<Line>(file: string, form: z.ZodType<Line>): AsyncGenerator<readonly Line[]> {
  let number = 0
  for await (const lines of linesOf(createReadStream(file))) {
    yield lines.map((line) => {
      number += 1
      const parsed = form.safeParse(jsonOf(line))
      if (!parsed.success)
        throw new BackupRefused(
          `Line ${number} of ${path.basename(file)} is no line of this format: ${faultOf(parsed.error)}`,
        )
      return parsed.data
    })
  }
}
