import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { fileStore, imageFile } from '../../adapters/media/file-store.ts'
import type { ByteStore } from '../../adapters/media/byte-store.ts'
import { imageKinds } from '../../domain/images/image-kinds.ts'
import { blocksOf } from '../history-file/lines.ts'
import { BackupRefused, imagesFolder, sha256Of, sha256Text } from './format.ts'

const imageName = z.string().regex(new RegExp(`^(?:${imageKinds.join('|')})/[\\w-]+/[\\w-]+$`))
/** A line of `images.jsonl`. */
export const imageLine = z.object({ name: imageName, bytes: z.int().min(0), sha256: sha256Text })
export type ImageLine = z.output<typeof imageLine>

/** How many images are read or written at once. */
const images_max = 8

/** How much the clock of the image store may differ from this one. */
const clocks_ms_max = 600_000

/**
 * Copies images into the folder of a backup, and gives their lines. Skips those that are there already, and those that were
 * stored before `since`, with an allowance for clocks.
 */
export async function* copyImages(
  store: ByteStore,
  folder: string,
  signal: AbortSignal,
  since = Number.NEGATIVE_INFINITY,
): AsyncGenerator<readonly ImageLine[]> {
  const kept = path.join(folder, imagesFolder)
  const copies = fileStore(kept)
  for (const kind of imageKinds) {
    for await (const images of blocksOf(store.list(`${kind}/`), images_max)) {
      signal.throwIfAborted()
      const missing = images.filter(
        ({ name, storedAt }) => storedAt.getTime() >= since - clocks_ms_max && !existsSync(imageFile(kept, name)),
      )
      const lines = await Promise.all(missing.map(({ name }) => copyImage(store, copies, name)))
      yield lines.flatMap((line) => line ?? [])
    }
  }
}

/** Undefined for an image that was removed meanwhile. */
async function copyImage(store: ByteStore, copies: ByteStore, name: string): Promise<ImageLine | undefined> {
  const bytes = await store.get(name)
  if (!bytes) return undefined
  await copies.put(name, bytes)
  return { name, bytes: bytes.length, sha256: sha256Of(bytes) }
}

/** The image of a line. Rejects with BackupRefused if the backup does not hold it as it was. */
export async function readImage(folder: string, { name, sha256 }: ImageLine): Promise<Uint8Array> {
  const file = imageFile(path.join(folder, imagesFolder), name)
  if (!existsSync(file)) throw new BackupRefused(`The backup lacks the image ${name}`)
  const bytes = await readFile(file)
  if (sha256Of(bytes) !== sha256) throw new BackupRefused(`The image ${name} is not as it was written`)
  return bytes
}

/** Puts images into a store, unless they are there, and reads each again. Gives how many there are. */
export async function restoreImages(
  store: ByteStore,
  folder: string,
  lines: AsyncIterable<readonly ImageLine[]>,
  signal: AbortSignal,
): Promise<number> {
  let count = 0
  for await (const some of blocksOf(lines, images_max)) {
    signal.throwIfAborted()
    await Promise.all(some.map((line) => restoreImage(store, folder, line)))
    count += some.length
  }
  return count
}

async function restoreImage(store: ByteStore, folder: string, line: ImageLine): Promise<void> {
  if (await holds(store, line)) return
  await store.put(line.name, await readImage(folder, line))
  if (!(await holds(store, line)))
    throw new Error(`The image ${line.name} was stored, and is not there as it was written`)
}

async function holds(store: ByteStore, { name, sha256 }: ImageLine): Promise<boolean> {
  const bytes = await store.get(name)
  return bytes !== undefined && sha256Of(bytes) === sha256
}
