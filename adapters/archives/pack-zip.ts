import { once } from 'node:events'
import { Readable } from 'node:stream'
import yazl from 'yazl'
import { asError } from '../../application/concurrency/as-error.ts'
import type { ArchiveEntry, PackArchive } from '../../application/ports/archives.ts'
import { msOf } from '../../domain/kernel/timestamp.ts'

/** Rather fast than small: the content is text, which even the fastest level shrinks well. */
const compressionLevel = 3

/**
 * Writes a ZIP whose entries are read one after another, as fast as the ZIP is. Entries and whole archives of more than 4 GiB
 * become ZIP64.
 */
export const packZip: PackArchive = async function* (entries, modifiedAt) {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream
  if (!(output instanceof Readable)) throw new TypeError('the ZIP has no stream of its bytes')
  const stop = new AbortController()
  const fed = feed(zip, entries, { mtime: new Date(msOf(modifiedAt)), compressionLevel }, stop.signal).catch(
    (error: unknown) => void output.destroy(asError(error)),
  )
  zip.on('error', (error: Error) => output.destroy(error))
  try {
    for await (const piece of output) if (piece instanceof Uint8Array) yield piece
    await fed
  } finally {
    stop.abort()
    output.destroy()
  }
}

/** Adds each entry once the one before it is read. */
async function feed(
  zip: yazl.ZipFile,
  entries: AsyncIterable<ArchiveEntry>,
  options: Partial<yazl.ReadStreamOptions>,
  signal: AbortSignal,
): Promise<void> {
  for await (const { path, content } of entries) {
    signal.throwIfAborted()
    const stream = Readable.from(content, { objectMode: true, highWaterMark: 1 })
    const abort = (): void => void stream.destroy(new Error('The archive is not wanted any more'))
    signal.addEventListener('abort', abort, { once: true })
    const ended = once(stream, 'end')
    try {
      zip.addReadStream(stream, path, options)
      await ended
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }
  zip.end()
}
