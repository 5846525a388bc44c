import { createHash, randomUUID, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { fileStore } from '../../adapters/media/file-store.ts'
import {
  attachmentForm,
  imageForm,
  type ByteStore,
  type LocalFile,
  type StoredForm,
} from '../../adapters/media/byte-store.ts'
import { imageKinds } from '../../domain/images/image-kinds.ts'
import { blocksOf } from '../history-file/lines.ts'
import { BackupRefused, imagesFolder, sha256Text } from './format.ts'

const attachmentsFolder = 'attachments/'
const imageName = z
  .string()
  .regex(new RegExp(`^(?:(?:${imageKinds.join('|')})(?:/[\\w-]+){2,3}|${attachmentsFolder}[0-9]+/[0-9]+/file)$`))
/** A line of `images.jsonl`, which has the files of messages too. */
export const imageLine = z.object({ name: imageName, bytes: z.int().min(0), sha256: sha256Text })
export type ImageLine = z.output<typeof imageLine>

/** How many images are read or written at once. */
const images_max = 8

/** How much the clock of the image store may differ from this one. */
const clocks_ms_max = 600_000

/**
 * Copies images and the files of messages into the folder of a backup, and gives their lines. Skips those that are there already, and those that were
 * stored before `since`, with an allowance for clocks.
 */
export async function* copyImages(
  store: ByteStore,
  folder: string,
  signal: AbortSignal,
  since = Number.NEGATIVE_INFINITY,
): AsyncGenerator<readonly ImageLine[]> {
  const kept = path.join(folder, imagesFolder)
  const copies = imagesAndFiles(fileStore(kept), fileStore(kept, attachmentForm))
  for (const listed of [...imageKinds.map((kind) => `${kind}/`), attachmentsFolder]) {
    for await (const images of blocksOf(store.list(listed), images_max)) {
      signal.throwIfAborted()
      const missing = images.filter(
        ({ name, storedAt }) => storedAt.getTime() >= since - clocks_ms_max && !existsSync(fileIn(kept, name)),
      )
      const lines = await Promise.all(missing.map(({ name }) => copyImage(store, copies, name)))
      yield lines.flatMap((line) => line ?? [])
    }
  }
}

/** Undefined for one that was removed meanwhile. */
async function copyImage(store: ByteStore, copies: ByteStore, name: string): Promise<ImageLine | undefined> {
  const found = await store.find(name)
  if (!found) return undefined
  const copy = await downloaded(await found.read())
  const { size_bytes: bytes, sha256 } = copy
  await copies.putFile(name, copy)
  return { name, bytes, sha256 }
}

type Downloaded = LocalFile & { readonly sha256: string }

/** Writes a stream to a file of its own: what is stored may be too large for memory. */
async function downloaded(bytes: Readable): Promise<Downloaded> {
  const file = path.join(tmpdir(), `guildhall-${randomUUID()}`)
  const hash = createHash('sha256')
  try {
    await pipeline(bytes, hashing(hash), createWriteStream(file))
    const { size: size_bytes } = await stat(file)
    return { path: file, size_bytes, sha256: hash.digest('hex') }
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

function hashing(hash: Hash) {
  return async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      hash.update(piece)
      yield piece
    }
  }
}

async function hashOf(bytes: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of bytes) hash.update(piece as Buffer)
  return hash.digest('hex')
}

/** The file of a line, and how large it is. Rejects with BackupRefused if the backup does not hold it as it was. */
export async function checkedImage(folder: string, { name, sha256 }: ImageLine): Promise<LocalFile> {
  const file = fileIn(path.join(folder, imagesFolder), name)
  if (!existsSync(file)) throw new BackupRefused(`The backup lacks the image ${name}`)
  if ((await hashOf(createReadStream(file))) !== sha256)
    throw new BackupRefused(`The image ${name} is not as it was written`)
  return { path: file, size_bytes: (await stat(file)).size }
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
  const kept = await checkedImage(folder, line)
  await store.putFile(line.name, await downloaded(createReadStream(kept.path)))
  if (!(await holds(store, line)))
    throw new Error(`The image ${line.name} was stored, and is not there as it was written`)
}

async function holds(store: ByteStore, { name, sha256 }: ImageLine): Promise<boolean> {
  const found = await store.find(name)
  return found !== undefined && (await hashOf(await found.read())) === sha256
}

/** Where it is in the backup. */
function fileIn(folder: string, name: string): string {
  return path.join(folder, `${name}${formOf(name).extension}`)
}

function formOf(name: string): StoredForm {
  return name.startsWith(attachmentsFolder) ? attachmentForm : imageForm
}

/** A store of images and of the files of messages, each in its form. */
export function imagesAndFiles(images: ByteStore, files: ByteStore): ByteStore {
  const of = (name: string): ByteStore => (formOf(name) === attachmentForm ? files : images)
  return {
    put: (name, bytes) => of(name).put(name, bytes),
    putFile: (name, file) => of(name).putFile(name, file),
    copy: (from, to) => of(from).copy(from, to),
    get: (name) => of(name).get(name),
    find: (name) => of(name).find(name),
    list: (folder) => of(folder).list(folder),
    remove: (name) => of(name).remove(name),
    removeFolder: (folder) => of(folder).removeFolder(folder),
  }
}
