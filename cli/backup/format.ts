import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { z } from 'zod'

/**
 * The format of a backup: a folder.
 *
 * - `manifest.json`, written last: a line that says what the backup holds, with the size and SHA-256 of every other file; and a
 *   line with the SHA-256 of that line. A folder without it is incomplete.
 * - `history.jsonl`: the events up to the instant of the backup, and the accounts' keys, as `export --with-keys` writes them
 *   (cli/history-file/format.ts).
 * - `tables.jsonl`: the rows of the tables beside history at that instant (cli/backup/table-file.ts).
 * - `images/`, and `images.jsonl`, which lists them with their digests.
 * - `personal-data.key`: PERSONAL_DATA_KEY in base64, only if requested.
 */
export const format = 'guildhall-backup'
export const version = 1

export const historyFile = 'history.jsonl'
export const tablesFile = 'tables.jsonl'
export const imagesFile = 'images.jsonl'
export const imagesFolder = 'images'
export const keyFile = 'personal-data.key'
export const manifestFile = 'manifest.json'

const count = z.int().min(0)
export const sha256Text = z.string().regex(/^[0-9a-f]{64}$/)

const fileEntry = z.object({
  name: z.enum([historyFile, tablesFile, imagesFile, keyFile]),
  bytes: count,
  sha256: sha256Text,
})

export const anyManifest = z.object({ format: z.literal(format), version: z.int() })

export const manifestLine = z.object({
  format: z.literal(format),
  version: z.literal(version),
  /** Identifies the backup. */
  id: z.uuid(),
  takenAt: z.iso.datetime(),
  /** The kind of event store. */
  store: z.string(),
  events: count,
  keys: count,
  /** Identifies the PERSONAL_DATA_KEY that wraps the keys. */
  personalDataKey: z.string(),
  /** The migrations that the tables had run. */
  migrations: z.array(z.object({ number: z.int(), name: z.string(), digest: z.string() })).min(1),
  /** The SHA-256 is that of the rows, in the order of the file. */
  tables: z.array(z.object({ name: z.string(), rows: count, sha256: sha256Text })),
  followers: count,
  images: count,
  files: z.array(fileEntry),
})

export const sealLine = z.object({ sha256: sha256Text })

export type Manifest = z.output<typeof manifestLine>
export type FileEntry = z.output<typeof fileEntry>
export type TableCount = Manifest['tables'][number]

/** A backup that can't be restored. The message says what is wrong with it. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

export function manifestText(manifest: Manifest): string {
  const line = JSON.stringify(manifest)
  return `${line}\n${JSON.stringify({ sha256: sha256Of(line) })}\n`
}

export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Reads a file once, for its entry in the manifest. */
export async function fileEntryOf(name: FileEntry['name'], file: string): Promise<FileEntry> {
  const hash: Hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  const { size: bytes } = await stat(file)
  return { name, bytes, sha256: hash.digest('hex') }
}
