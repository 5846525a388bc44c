/** Why the embedded Postgres cannot run, in words for the operator. The only error that this folder throws, of this kind or of its own. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

/** Another process runs Postgres on the folder, and releases it when it ends. */
export class FolderInUse extends EmbeddedPostgresError {}

/** The code of a failed system call, such as `EACCES`; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** The message of an error, for use inside a sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
