import type { AccountId } from '../../domain/ids/ids.ts'

/** The sender of work that queues. Every Requester is one. */
export interface Asker {
  /** The client's address. */
  readonly ip: string
  /** The account of the credential; absent for requests without one. */
  readonly account?: { readonly id: AccountId }
}

/** Turns alternate between addresses, and between the accounts of an address. */
export interface Turn {
  /** Exact for IPv4, the /64 for IPv6. */
  readonly address: string
  /** Empty for requests without a credential. */
  readonly account: string
}
