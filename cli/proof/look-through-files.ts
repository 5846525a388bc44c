import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { contentHasher } from '../../adapters/media/images.ts'
import type { ByteStore, StoredForm } from '../../adapters/media/byte-store.ts'
import type { FoundValue } from '../../adapters/erasure-notes/find-values.ts'
import type { FindingPlace } from './findings.ts'
import type { Looking, LookedThrough } from './look-through-events.ts'

/** Everything in a byte store, whatever it is. */
export const anyForm: StoredForm = { extension: '', mediaType: 'application/octet-stream' }

/** Longer than any form that is looked for: this much of a piece is looked through again with the next. */
const overlap_bytes = 2048

/** Looks through everything in the byte store, images and parts of archives: the bytes, the names, and whether it is an image of the account. */
export async function lookThroughStore(store: ByteStore, looking: Looking): Promise<LookedThrough> {
  const { finder, findings, signal, onProgress } = looking
  let [count, bytes] = [0, 0]
  for await (const page of store.list('')) {
    for (const { name } of page) {
      signal.throwIfAborted()
      const stored = await store.find(name)
      if (!stored) continue
      count += 1
      const hasher = contentHasher()
      const content = await lookThroughPieces(await stored.read(), looking, hasher.add)
      bytes += content.bytes
      const named = finder.in(Buffer.from(name, 'utf8'))
      const place = { area: 'files', container: shownName(name, looking), detail: '' } as const
      for (const found of [...content.found, ...named]) findings.add(found, place)
      if (finder.isImage(hasher.hash())) findings.addImage(place)
    }
    onProgress(0, `${count} stored files`)
  }
  return { count, bytes }
}

/** What stands beside a value that is the whole of something, as in JSON. */
const quote = Buffer.from('"')

/** Looks through content piece by piece: a file of a message may be too large for memory. Each value counts once. */
async function lookThroughPieces(
  pieces: AsyncIterable<unknown>,
  { finder, signal }: Looking,
  onPiece: (piece: Buffer) => void,
): Promise<{ readonly bytes: number; readonly found: readonly FoundValue[] }> {
  const met = new Map<number, FoundValue>()
  const look = (window: Buffer): void => {
    for (const found of finder.in(window, true)) met.set(found.index, found)
  }
  let bytes = 0
  // The ends of the content are the ends of a value.
  let before: Buffer = quote
  for await (const each of pieces) {
    signal.throwIfAborted()
    const piece = each as Buffer
    onPiece(piece)
    bytes += piece.length
    const window = Buffer.concat([before, piece])
    look(window)
    before = window.subarray(-overlap_bytes)
  }
  look(Buffer.concat([before, quote]))
  return { bytes, found: [...met.values()] }
}

/** A name without the parts that hold a value. */
function shownName(name: string, { finder }: Looking): string {
  const parts = name.split('/').map((part) => (finder.in(Buffer.from(part, 'utf8')).length > 0 ? '<a value>' : part))
  const shown = parts.join('/')
  return finder.in(Buffer.from(shown, 'utf8')).length > 0 ? '<a value>' : shown
}

/** Looks through a file, or all files in a folder: logs, also those that were packed with gzip. Rejects if it is not there. */
export async function lookThroughLogs(location: string, looking: Looking): Promise<LookedThrough> {
  let [count, bytes] = [0, 0]
  for (const file of await filesAt(location)) {
    looking.signal.throwIfAborted()
    count += 1
    bytes += await lookThroughFile(file, looking)
    looking.onProgress(0, `${count} files of logs`)
  }
  return { count, bytes }
}

async function filesAt(location: string): Promise<readonly string[]> {
  if (!(await stat(location)).isDirectory()) return [location]
  const entries = await readdir(location, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}

/** Gives the number of bytes, unpacked. Each value counts once for a file. */
async function lookThroughFile(file: string, looking: Looking): Promise<number> {
  const { finder, findings, signal } = looking
  const met = new Map<number, FoundValue>()
  let bytes = 0
  const look = async (pieces: AsyncIterable<Buffer>): Promise<void> => {
    let before: Buffer = Buffer.alloc(0)
    for await (const piece of pieces) {
      const window = Buffer.concat([before, piece])
      for (const found of finder.in(window, true)) met.set(found.index, found)
      bytes += piece.length
      before = window.subarray(-overlap_bytes)
    }
  }
  const content = createReadStream(file)
  await (file.endsWith('.gz')
    ? pipeline(content, createGunzip(), look, { signal })
    : pipeline(content, look, { signal }))
  const place: FindingPlace = { area: 'logs', container: shownName(file, looking), detail: '' }
  for (const found of met.values()) findings.add(found, place)
  return bytes
}
