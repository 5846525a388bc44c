import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { imageForm, type ByteStore, type StoredForm, type StoredName } from './byte-store.ts'

const page_max = 1000
/** Follows the name of a file that is being written; a random id follows the mark. */
const unfinishedMark = '.'

/** Bytes as files below a folder. A file is complete or absent: it gets its name once it is written. */
export function fileStore(folder: string, { extension }: StoredForm = imageForm): ByteStore {
  const fileOf = (name: string): string => path.join(folder, `${name}${extension}`)
  return {
    async put(name, bytes) {
      const file = fileOf(name)
      await mkdir(path.dirname(file), { recursive: true })
      const unfinished = `${file}${unfinishedMark}${randomUUID()}`
      try {
        await writeFile(unfinished, bytes, { flush: true })
        await rename(unfinished, file)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    async putFile(name, { path: received }) {
      const file = fileOf(name)
      await mkdir(path.dirname(file), { recursive: true })
      await flush(received)
      await moved(received, file)
    },
    async copy(from, to) {
      const file = fileOf(to)
      await mkdir(path.dirname(file), { recursive: true })
      const copied = await ifThere(async () => (await linked(fileOf(from), file), true))
      return copied ?? false
    },
    get: (name) => ifThere(() => readFile(fileOf(name))),
    find: (name) =>
      ifThere(async () => {
        const file = fileOf(name)
        const { size: size_bytes } = await stat(file)
        return {
          size_bytes,
          read: async (range) => createReadStream(file, range && { start: range.first, end: range.last }),
        }
      }),
    async *list(prefix) {
      const isStored = (file: string): boolean => file.endsWith(extension)
      for await (const files of inPages(filesBelow(path.join(folder, prefix), isStored), page_max)) {
        const found = await Promise.all(files.map((file) => storedName(folder, file, extension)))
        yield found.flatMap((stored) => stored ?? [])
      }
    },
    async remove(name) {
      await rm(fileOf(name), { force: true })
    },
    async removeFolder(prefix) {
      const isOurs = (file: string): boolean =>
        file.endsWith(extension) || file.includes(`${extension}${unfinishedMark}`)
      for await (const file of filesBelow(path.join(folder, prefix), isOurs)) await rm(file, { force: true })
      await removeIfEmpty(path.join(folder, prefix))
    },
  }
}

async function flush(file: string): Promise<void> {
  const opened = await open(file, 'r+')
  try {
    await opened.datasync()
  } finally {
    await opened.close()
  }
}

/** Gives a file a second name. It is never changed, so both may have the same bytes; where they cannot, it is copied. */
async function linked(from: string, to: string): Promise<void> {
  try {
    return await link(from, to)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return
    if (!unlinkable.some((code) => hasCode(error, code))) throw error
  }
  await copied(from, to)
}

/** File systems without second names, or with no room for another one. */
const unlinkable = ['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EXDEV']

/** Copies a file. It gets its name once it is complete there. */
async function copied(from: string, to: string): Promise<void> {
  const unfinished = `${to}${unfinishedMark}${randomUUID()}`
  try {
    await copyFile(from, unfinished)
    await flush(unfinished)
    await rename(unfinished, to)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** Moves a file, also from another file system. */
async function moved(from: string, to: string): Promise<void> {
  try {
    return await rename(from, to)
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error
  }
  await copied(from, to)
  await rm(from, { force: true })
}

/** Removes a folder in which nothing is left. */
async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder)
  } catch (error) {
    if (!isAbsence(error) && !hasCode(error, 'ENOTEMPTY')) throw error
  }
}

/** Where the image of a name is below the folder. */
export function imageFile(folder: string, name: string): string {
  return path.join(folder, `${name}${imageForm.extension}`)
}

/** The files in a folder and its subfolders whose names are wanted, in order of their names. */
async function* filesBelow(folder: string, isWanted: (name: string) => boolean): AsyncGenerator<string> {
  for (const entry of (await entriesOf(folder)).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(file, isWanted)
    else if (isWanted(entry.name)) yield file
  }
}

async function entriesOf(folder: string) {
  return (await ifThere(() => readdir(folder, { withFileTypes: true }))) ?? []
}

async function* inPages(files: AsyncIterable<string>, size: number): AsyncGenerator<readonly string[]> {
  let page: string[] = []
  for await (const file of files) {
    page.push(file)
    if (page.length < size) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** Undefined for a file that was deleted meanwhile. */
function storedName(folder: string, file: string, extension: string): Promise<StoredName | undefined> {
  return ifThere(async () => {
    const { mtime: storedAt } = await stat(file)
    const relative = path.relative(folder, file)
    const name = relative
      .slice(0, relative.length - extension.length)
      .split(path.sep)
      .join('/')
    return { name, storedAt }
  })
}

async function ifThere<Found>(look: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await look()
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

function isAbsence(error: unknown): boolean {
  return hasCode(error, 'ENOENT')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
