import { isKnownNetwork } from '../../../domain/account/decisions/authorized-networks.ts'
import type { Account } from '../../../domain/account/state.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import type { Caller, Requester } from '../../caller.ts'

/**
 * Names the device of a request if it has signed in to the account before: by a live session of the account sent along, or by its
 * network (an IPv4 address, the /64 of an IPv6 address). Undefined for an unknown device. Decision 177.
 */
export function knownDevice(
  account: Account,
  { ip, credential }: Requester & Partial<Pick<Caller, 'credential'>>,
): string | undefined {
  if (credential?.kind === 'session' && account.sessions.includes(credential.tokenHash)) return credential.tokenHash
  return isKnownNetwork(account, ip) ? networkOf(ip, oneClient) : undefined
}
