import type { SessionHandover } from '../../../application/ports/session-handovers.js'
import { networkOf, oneClient } from '../../../domain/network/network-of.js'
import type { Session } from '../../sessions/session.js'
import type { Sessions } from '../../sessions/sessions.js'
import { dispatchFrame } from '../../protocol/frame.js'

/**
 * AUTH_SESSION_CHANGE: the session goes on with another token (reference gateway 2.4). Of the sessions that were begun with the
 * one that ends, only those have it whose client is, or was last, where the change was made (decision 51): the others may be
 * somebody else's, whom the new password is to keep out. They end, and their connections are closed with 4004.
 */
export function tellOfHandover(sessions: Sessions, begun: readonly Session[], handover: SessionHandover): void {
  const { fromTokenHash, toTokenHash, token } = handover
  const frame = dispatchFrame('AUTH_SESSION_CHANGE', {
    old_auth_session_id_hash: fromTokenHash,
    new_auth_session_id_hash: toTokenHash,
    new_token: token,
  })
  for (const session of begun) {
    if (!isFrom(handover, session)) sessions.expelOne(session)
    else {
      session.tokenHash = toTokenHash
      session.dispatch('AUTH_SESSION_CHANGE', frame)
    }
  }
}

/** An IPv6 client changes its address within its /64 as it likes. */
function isFrom({ address }: SessionHandover, session: Session): boolean {
  return address !== null && networkOf(address, oneClient) === networkOf(session.address, oneClient)
}
