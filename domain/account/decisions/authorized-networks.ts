import type { Decision } from '../../kernel/decider.js'
import { accept } from '../../kernel/decider.js'
import type { Timestamp } from '../../kernel/timestamp.js'
import type { AccountEvent } from '../events.js'
import type { Account } from '../state.js'

/**
 * How many networks an account can sign in from without a mail: the newest. More than a person comes to in years, and few
 * enough for a state.
 */
export const authorizedNetworks_max = 100

/** Signing in from this network takes no mail from now on. */
export function authorization(
  { id: accountId, authorizedNetworks }: Account,
  network: string | null,
  now: Timestamp,
): readonly AccountEvent[] {
  if (network === null || authorizedNetworks.includes(network)) return []
  return [{ type: 'IpAddressAuthorized', data: { accountId, network, authorizedAt: now } }]
}

/** Every sign-in takes a mail again (reference identity 6.3). */
export function forgetIpAddresses(account: Account): Decision<AccountEvent> {
  return accept(...forgetting(account))
}

/** That every network is forgotten, where there is one. */
export function forgetting({ id: accountId, authorizedNetworks }: Account): readonly AccountEvent[] {
  return authorizedNetworks.length === 0 ? [] : [{ type: 'IpAddressesForgotten', data: { accountId } }]
}

/** The networks after one more; null is one whose account is erased. */
export function withNetwork(networks: readonly string[], network: string | null): readonly string[] {
  if (network === null) return networks
  return [...networks.filter((known) => known !== network), network].slice(-authorizedNetworks_max)
}
