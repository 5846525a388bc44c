export interface StoredName {
  readonly name: string
  readonly storedAt: Date
}

/** Stores the bytes of images by name: `<kind>/<owner>/<hash>`. */
export interface ImageStore {
  /** Stores bytes under a name; repeating it changes nothing. Rejects with Unavailable if the store can't be reached. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Undefined if there is no such image. */
  get(name: string): Promise<Uint8Array | undefined>
  /** The images whose names begin with a folder, which ends with a slash, in order of their names; at most 1000 at once. */
  list(folder: string): AsyncIterable<readonly StoredName[]>
  /** Succeeds for an image that does not exist. */
  remove(name: string): Promise<void>
}
