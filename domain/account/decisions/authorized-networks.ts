import type { Decision } from '../../kernel/decider.js'
import { accept } from '../../kernel/decider.js'
import type { Timestamp } from '../../kernel/timestamp.js'
import { networkOf, oneClient } from '../../network/network-of.js'
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
export function forgetting({ id: accountId, authorizedNetworks, signInNetworks }: Account): readonly AccountEvent[] {
  const isNothingKnown = authorizedNetworks.length === 0 && (signInNetworks ?? []).length === 0
  return isNothingKnown ? [] : [{ type: 'IpAddressesForgotten', data: { accountId } }]
}

/**
 * Whether a session from this address is one that its account should hear of: it has signed in before, and neither from this
 * network nor from one that it authorised. The first session, which a registration begins, is from a known network.
 */
export function isUnknownNetwork(account: Account, ip: string | null): boolean {
  return ip !== null && account.signInNetworks !== null && !isKnownNetwork(account, ip)
}

/** Whether the account has signed in from the network of this address, or authorised it, and has not forgotten it since. */
export function isKnownNetwork({ authorizedNetworks, signInNetworks }: Account, ip: string): boolean {
  const network = networkOf(ip, oneClient)
  return (signInNetworks ?? []).includes(network) || authorizedNetworks.includes(network)
}

/** The networks that sessions began from, after one more session; null where the address is forgotten with its account. */
export function withSignIn(networks: readonly string[] | null, ip: string | null): readonly string[] {
  return withNetwork(networks ?? [], ip === null ? null : networkOf(ip, oneClient))
}

/** The networks after one more; null is one whose account is erased. */
export function withNetwork(networks: readonly string[], network: string | null): readonly string[] {
  if (network === null) return networks
  return [...networks.filter((known) => known !== network), network].slice(-authorizedNetworks_max)
}
