import { event, type EventOf } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/**
 * What can happen to one network: a single IPv4 address, or the /64 of an IPv6 address. The stream is named by the network as
 * `networkOf` writes it. Kept forever: members are added, never renamed or reused.
 */
export const networkBanEvents = {
  NetworkBanned: event<NetworkBanned>({
    network: 'text',
    cause: 'text',
    reason: 'text or null',
    bannedAt: 'text',
    expiresAt: 'text or null',
  }),
  NetworkBanLifted: event<{ readonly network: string; readonly liftedAt: Timestamp }>({
    network: 'text',
    liftedAt: 'text',
  }),
}

export type NetworkBanEvent = EventOf<typeof networkBanEvents>

export interface NetworkBanned {
  /** As `networkOf` writes it. */
  readonly network: string
  /** `failures`: the server itself, after too many failed requests (reference identity 1.12). */
  readonly cause: 'operator' | 'failures'
  readonly reason: string | null
  readonly bannedAt: Timestamp
  /** Null for a ban that stands until it is lifted. */
  readonly expiresAt: Timestamp | null
}
