import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

/**
 * The events of one network: a single IPv4 address, or the /64 of an IPv6 address. The network, in the form of `networkOf`, names
 * the stream. Kept forever: members are added, never renamed or reused.
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
  /** In the form of `networkOf`. */
  readonly network: string
  /** `failures`: banned by the server itself, after too many failed requests. */
  readonly cause: 'operator' | 'failures'
  readonly reason: string | null
  readonly bannedAt: Timestamp
  /** Null for a permanent ban. */
  readonly expiresAt: Timestamp | null
}
