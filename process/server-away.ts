import { orPostgresUnavailable } from '../adapters/postgres/postgres-unavailable.ts'
import { Unavailable } from '../application/failures/unavailable.ts'

/** A server from a setting can't be reached. The message names the setting, without any password. */
export class ServerAway extends Unavailable {
  override readonly name = 'ServerAway'
  readonly setting: string

  constructor(setting: string, message: string, options: { readonly cause: unknown }) {
    super(message, options)
    this.setting = setting
  }
}

/**
 * What is unavailable when an error says that a server is: the setting that names it, or the kind of failure without such a
 * setting. Undefined for a failure that does not pass by waiting, such as a wrong password.
 */
export function awayIn(error: unknown): string | undefined {
  if (error instanceof ServerAway) return error.setting
  if (isOfAFile(error)) return undefined
  const known = orPostgresUnavailable(error)
  return known instanceof Unavailable ? known.name : undefined
}

/** A missing unix socket means that a server is away; waiting does not help with a missing file. */
function isOfAFile(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ENOENT' &&
    !('syscall' in error && error.syscall === 'connect')
  )
}
