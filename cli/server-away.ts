import { orPostgresUnavailable } from '../adapters/postgres/postgres-unavailable.js'
import { Unavailable } from '../application/ports/unavailable.js'

/** A server that a setting names can't be reached. The message names the setting, and no password. */
export class ServerAway extends Unavailable {
  override readonly name = 'ServerAway'
  readonly setting: string

  constructor(setting: string, message: string, options: { readonly cause: unknown }) {
    super(message, options)
    this.setting = setting
  }
}

/**
 * What is away where something failed because a server is: the setting that names it, or the kind of failure where none does.
 * Undefined for a failure that does not pass by waiting, such as a wrong password.
 */
export function awayIn(error: unknown): string | undefined {
  if (error instanceof ServerAway) return error.setting
  if (isOfAFile(error)) return undefined
  const known = orPostgresUnavailable(error)
  return known instanceof Unavailable ? known.name : undefined
}

/** A unix socket that is not there is away; a file that is not there does not come by waiting. */
function isOfAFile(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ENOENT' &&
    !('syscall' in error && error.syscall === 'connect')
  )
}
