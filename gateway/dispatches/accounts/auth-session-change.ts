import type { SessionHandover } from '../../../application/ports/session-handovers.js'
import type { Session } from '../../sessions/session.js'
import { dispatchFrame } from '../../protocol/frame.js'

/**
 * AUTH_SESSION_CHANGE: the session goes on with another token (reference gateway 2.4). Only those have it who have the session
 * that ends: the other sessions of the account may be somebody else's, whom the new password is to keep out.
 */
export function tellOfHandover(sessions: readonly Session[], handover: SessionHandover): void {
  const { fromTokenHash, toTokenHash, token } = handover
  const frame = dispatchFrame('AUTH_SESSION_CHANGE', {
    old_auth_session_id_hash: fromTokenHash,
    new_auth_session_id_hash: toTokenHash,
    new_token: token,
  })
  for (const session of sessions) {
    session.tokenHash = toTokenHash
    session.dispatch('AUTH_SESSION_CHANGE', frame)
  }
}
