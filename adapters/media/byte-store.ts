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

/** Stores bytes by name. Names of images are `<kind>/<owner>/<hash>`. */
export interface ByteStore {
  /** Stores bytes under a name; repeating it changes nothing. Rejects with Unavailable if the store can't be reached. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Undefined if there are none. */
  get(name: string): Promise<Uint8Array | undefined>
  /** Those whose names begin with a folder, which ends with a slash, in order of their names; at most 1000 at once. */
  list(folder: string): AsyncIterable<readonly StoredName[]>
  /** Succeeds for a name that does not exist. */
  remove(name: string): Promise<void>
  /** Removes everything in a folder, which ends with a slash, with what a process that died left unfinished there. */
  removeFolder(folder: string): Promise<void>
}
