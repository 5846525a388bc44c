export interface StoredName {
  readonly name: string
  readonly storedAt: Date
}

/** Where the bytes of images are kept, by name: `<kind>/<owner>/<hash>`. */
export interface ImageStore {
  /** Keeps bytes under a name; the same again changes nothing. Rejects with Unavailable where the store can't be reached. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Undefined where nothing has the name. */
  get(name: string): Promise<Uint8Array | undefined>
  /** Those whose names begin with a folder, which ends with a slash, in the order of their names; at most 1000 at once. */
  list(folder: string): AsyncIterable<readonly StoredName[]>
  /** One that is not there is removed too. */
  remove(name: string): Promise<void>
}
