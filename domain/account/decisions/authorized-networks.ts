import type { Decision } from '../../kernel/decider.ts'
import { accept } from '../../kernel/decider.ts'
import type { Timestamp } from '../../kernel/timestamp.ts'
import { networkOf, oneClient } from '../../network/network-of.ts'
import type { AccountEvent } from '../events.ts'
import type { Account } from '../state.ts'

/** How many authorised networks an account keeps: the newest. A person needs fewer in years, and the state stays small. */
export const authorizedNetworks_max = 100

/** Authorises a network: signing in from it takes no mail from now on. */
export function authorization(
  { id: accountId, authorizedNetworks }: Account,
  network: string | null,
  now: Timestamp,
): readonly AccountEvent[] {
  if (network === null || authorizedNetworks.includes(network)) return []
  return [{ type: 'IpAddressAuthorized', data: { accountId, network, authorizedAt: now } }]
}

/** Removes all authorised networks: every sign-in takes a mail again. */
export function forgetIpAddresses(account: Account): Decision<AccountEvent> {
  return accept(...forgetting(account))
}

/** The event that forgets all networks, if any are known. */
export function forgetting({ id: accountId, authorizedNetworks, signInNetworks }: Account): readonly AccountEvent[] {
  const isNothingKnown = authorizedNetworks.length === 0 && (signInNetworks ?? []).length === 0
  return isNothingKnown ? [] : [{ type: 'IpAddressesForgotten', data: { accountId } }]
}

/**
 * Whether to tell the account about a session from this address: it has signed in before, but never from this network, and has
 * not authorised it. The first session, which follows the registration, counts as from a known network.
 */
export function isUnknownNetwork(account: Account, ip: string | null): boolean {
  return ip !== null && account.signInNetworks !== null && !isKnownNetwork(account, ip)
}

/** Whether the account has signed in from the network of this address, or authorised it, and has not forgotten it since. */
export function isKnownNetwork({ authorizedNetworks, signInNetworks }: Account, ip: string): boolean {
  const network = networkOf(ip, oneClient)
  return (signInNetworks ?? []).includes(network) || authorizedNetworks.includes(network)
}

/** The networks of sessions after one more session; null if the address was erased with its account. */
export function withSignIn(networks: readonly string[] | null, ip: string | null): readonly string[] {
  return withNetwork(networks ?? [], ip === null ? null : networkOf(ip, oneClient))
}

/** The networks with one more added; null for a network erased with its account. */
export function withNetwork(networks: readonly string[], network: string | null): readonly string[] {
  if (network === null) return networks
  return [...networks.filter((known) => known !== network), network].slice(-authorizedNetworks_max)
}
