import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
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
    async get(name) {
      try {
        return await readFile(fileOf(name))
      } catch (error) {
        if (isAbsence(error)) return undefined
        throw error
      }
    },
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
    },
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
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isAbsence(error)) return []
    throw error
  }
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
async function storedName(folder: string, file: string, extension: string): Promise<StoredName | undefined> {
  try {
    const { mtime: storedAt } = await stat(file)
    const relative = path.relative(folder, file)
    const name = relative
      .slice(0, relative.length - extension.length)
      .split(path.sep)
      .join('/')
    return { name, storedAt }
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
