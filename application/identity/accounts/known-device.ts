import { isKnownNetwork } from '../../../domain/account/decisions/authorized-networks.js'
import type { Account } from '../../../domain/account/state.js'
import { networkOf, oneClient } from '../../../domain/network/network-of.js'
import type { Caller, Requester } from '../../caller.js'

/**
 * Names the device of a request to an account that it has signed in to before: by a session of that account which lives still, sent
 * along, or by the network that it is in (an IPv4 address, the /64 of an IPv6 address). Undefined for a stranger. Decision 53.
 */
export function knownDevice(
  account: Account,
  { ip, credential }: Requester & Partial<Pick<Caller, 'credential'>>,
): string | undefined {
  if (credential?.kind === 'session' && account.sessions.includes(credential.tokenHash)) return credential.tokenHash
  return isKnownNetwork(account, ip) ? networkOf(ip, oneClient) : undefined
}
