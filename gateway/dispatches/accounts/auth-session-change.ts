import type { SessionHandover } from '../../../application/ports/session-handovers.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import type { Session } from '../../sessions/session.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import { dispatchFrame } from '../../protocol/frame.ts'

/**
 * AUTH_SESSION_CHANGE: the session continues with another token. Of the sessions that began with the ended one, only
 * those whose client is, or was last, at the address of the change get it (decision 87). The others may be an
 * intruder's, whom the new password must keep out: they end.
 */
export function tellOfHandover(sessions: Sessions, begun: readonly Session[], handover: SessionHandover): void {
  const { fromTokenHash, toTokenHash, token } = handover
  const frame = dispatchFrame('AUTH_SESSION_CHANGE', {
    old_auth_session_id_hash: fromTokenHash,
    new_auth_session_id_hash: toTokenHash,
    new_token: token,
  })
  for (const session of begun) {
    if (!isFrom(handover, session)) sessions.end(session)
    else {
      session.tokenHash = toTokenHash
      session.dispatch('AUTH_SESSION_CHANGE', frame)
    }
  }
}

/** An IPv6 client changes its address within its /64 at will. */
function isFrom({ address }: SessionHandover, session: Session): boolean {
  return address !== null && networkOf(address, oneClient) === networkOf(session.address, oneClient)
}
