import type { BySession } from '../../domain/account/by-session.ts'
import type { Caller } from '../caller.ts'

/**
 * The hash of the token of the session that a caller acts in: its own, or the one that its access token ends with. Undefined without
 * one.
 */
export function sessionOf({ credential }: Pick<Caller, 'credential'>): string | undefined {
  if (credential.kind === 'session') return credential.tokenHash
  return credential.kind === 'bearer' ? credential.sessionHash : undefined
}

/** The member of a command that names the caller's session; none for a caller without one. */
export function bySession(caller: Pick<Caller, 'credential'>): BySession {
  const session = sessionOf(caller)
  return session === undefined ? {} : { bySession: session }
}
