import type { Readable } from 'node:stream'

export interface StoredName {
  readonly name: string
  readonly storedAt: Date
}

/** What is stored. Stores of different forms in one folder or bucket see nothing of each other. */
export interface StoredForm {
  /** Ends the names of files and objects; with its dot. */
  readonly extension: string
  readonly mediaType: string
}

export const imageForm: StoredForm = { extension: '.webp', mediaType: 'image/webp' }
export const attachmentForm: StoredForm = { extension: '.file', mediaType: 'application/octet-stream' }

/** A range of bytes, both ends included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** Bytes that are read as they are needed. */
export interface StoredBytes {
  readonly size_bytes: number
  /** All of them, or a range that lies within them. */
  read(range?: ByteRange): Promise<Readable>
}

/** A file on the disk of this process. */
export interface LocalFile {
  readonly path: string
  readonly size_bytes: number
}

/** Stores bytes by name. Names of images are `<kind>/<owner>/<hash>`, where an owner may have a slash. */
export interface ByteStore {
  /** Stores bytes under a name; repeating it changes nothing. Rejects with Unavailable if the store can't be reached. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Stores a file, which is gone from its path afterwards, and is never whole in memory. */
  putFile(name: string, file: LocalFile): Promise<void>
  /** Stores what is under one name under another one too; repeating it changes nothing. False if there is nothing. */
  copy(from: string, to: string): Promise<boolean>
  /** Undefined if there are none. */
  get(name: string): Promise<Uint8Array | undefined>
  /** The same, without reading them yet: for what may be too large for memory. */
  find(name: string): Promise<StoredBytes | undefined>
  /** Those whose names begin with a folder, which ends with a slash, in order of their names; at most 1000 at once. */
  list(folder: string): AsyncIterable<readonly StoredName[]>
  /** Succeeds for a name that does not exist. */
  remove(name: string): Promise<void>
  /** Removes everything in a folder, which ends with a slash, with what a process that died left unfinished there. */
  removeFolder(folder: string): Promise<void>
}
