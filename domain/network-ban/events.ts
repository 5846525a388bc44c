import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/**
 * The events of one network: a single IPv4 address, or the /64 of an IPv6 address. The network, in the form of `networkOf`, names
 * the stream. Kept forever: members are added, never renamed or reused.
 */
export type NetworkBanEvent =
  | { readonly type: 'NetworkBanned'; readonly data: NetworkBanned }
  | {
      readonly type: 'NetworkBanLifted'
      readonly data: { readonly network: string; readonly liftedAt: Timestamp }
    }

export interface NetworkBanned {
  /** In the form of `networkOf`. */
  readonly network: string
  /** `failures`: banned by the server itself, after too many failed requests (reference identity 1.12). */
  readonly cause: 'operator' | 'failures'
  readonly reason: string | null
  readonly bannedAt: Timestamp
  /** Null for a permanent ban. */
  readonly expiresAt: Timestamp | null
}

export const networkBanEvents: EventCatalog<NetworkBanEvent> = {
  category: 'network_ban',
  events: { NetworkBanned: { version: 1 }, NetworkBanLifted: { version: 1 } },
}
