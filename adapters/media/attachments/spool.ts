import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ReceivedFile } from '../../../application/ports/attachments.ts'
import { withoutMetadata } from './strip-metadata.ts'

/** No file is received, and kept or refused, in a longer time. */
const age_ms_max = 3_600_000

/** Files that are being received. They are on the disk of this process until they are kept, or for an hour. */
export interface Spool {
  /**
   * Writes what comes to the disk, without the metadata of pictures. `too large` beyond `bytes_max`, counted as it comes: then, and if
   * the bytes reject, nothing stays.
   */
  receive(bytes: AsyncIterable<Uint8Array>, bytes_max: number): Promise<ReceivedFile | 'too large'>
  /** The same, with every byte as it comes. */
  receiveAsIs(bytes: AsyncIterable<Uint8Array>, bytes_max: number): Promise<ReceivedFile | 'too large'>
  /** Does nothing for a file that is not there any more. */
  discard(file: ReceivedFile): Promise<void>
  /** Removes what processes left that have died. */
  sweep(): Promise<void>
}

/** A spool in a folder, which may be shared with other processes. */
export function spoolIn(folder: string): Spool {
  const received = async (bytes: AsyncIterable<Uint8Array>): Promise<ReceivedFile | 'too large'> => {
    await mkdir(folder, { recursive: true })
    const file = path.join(folder, randomUUID())
    try {
      return await written(file, bytes)
    } catch (error) {
      await rm(file, { force: true })
      if (error instanceof TooLarge) return 'too large'
      throw error
    }
  }
  return {
    receive: (bytes, bytes_max) => received(withoutMetadata(atMost(bytes, bytes_max))),
    receiveAsIs: (bytes, bytes_max) => received(atMost(bytes, bytes_max)),
    discard: ({ path: file }) => rm(file, { force: true }),
    async sweep() {
      await mkdir(folder, { recursive: true })
      for (const name of await readdir(folder)) {
        const file = path.join(folder, name)
        const found = await stat(file).catch((error: unknown) => {
          if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
          throw error
        })
        if (found && found.mtimeMs < Date.now() - age_ms_max) await rm(file, { force: true })
      }
    },
  }
}

class TooLarge extends Error {}

async function* atMost(bytes: AsyncIterable<Uint8Array>, bytes_max: number): AsyncGenerator<Uint8Array> {
  let left_bytes = bytes_max
  for await (const piece of bytes) {
    left_bytes -= piece.length
    if (left_bytes < 0) throw new TooLarge()
    yield piece
  }
}

/** Small pieces are written together. */
const write_bytes_min = 262_144

async function written(path: string, bytes: AsyncIterable<Uint8Array>): Promise<ReceivedFile> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  let [pieces, waiting_bytes, size_bytes]: [Uint8Array[], number, number] = [[], 0, 0]
  const write = async (): Promise<void> => {
    await file.writev(pieces)
    ;[pieces, waiting_bytes] = [[], 0]
  }
  try {
    for await (const piece of bytes) {
      if (piece.length === 0) continue
      hash.update(piece)
      pieces.push(piece)
      waiting_bytes += piece.length
      size_bytes += piece.length
      if (waiting_bytes >= write_bytes_min) await write()
    }
    if (waiting_bytes > 0) await write()
  } finally {
    await file.close()
  }
  return { path, size_bytes, hash: hash.digest('hex') }
}
