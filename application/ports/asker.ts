import type { AccountId } from '../../domain/ids/ids.js'
import { networkOf, oneClient } from '../../domain/network/network-of.js'

/** Who asks for work that others wait behind. Every Requester is one. */
export interface Asker {
  /** The client's address. */
  readonly ip: string
  /** Whom the credential names; absent for who shows none. */
  readonly account?: { readonly id: AccountId }
}

/** Between whom turns are taken: addresses, and within an address its accounts. */
export interface Turn {
  /** Exact for IPv4, the /64 for IPv6. */
  readonly address: string
  /** Empty for who shows no credential. */
  readonly account: string
}

export function turnOf({ ip, account }: Asker): Turn {
  return { address: networkOf(ip, oneClient), account: account?.id ?? '' }
}
