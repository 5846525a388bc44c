import type { BySession } from '../../domain/account/by-session.ts'
import type { Caller } from '../caller.ts'

/** The member of a command that names the caller's session; none for a caller without one. */
export function bySession({ credential }: Pick<Caller, 'credential'>): BySession {
  return credential.kind === 'session' ? { bySession: credential.tokenHash } : {}
}
