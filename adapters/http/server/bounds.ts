import type { QueueBounds } from '../request/queues/request-queue.ts'
import type { ShareBounds } from '../request/shares/shares.ts'

export interface HttpBounds {
  /** The most requests at work at once; one more gets 503. */
  readonly inFlight_max: number
  /** How many of them may be from strangers. The rest is kept for clients with a resolved credential. */
  readonly inFlightOfStrangers_max: number
  readonly inFlightOfAddress_max: number
  readonly inFlightOfIdentity_max: number
  /** For each queue of requests: how many work at once before others wait, and how long those may wait. */
  readonly queue: QueueBounds
  /** The most connections at once. If absent, it follows from the limit on descriptors. */
  readonly connections_max?: number
  readonly connectionsOfAddress_max?: number
  /** How long requests at work may continue once the server drains. */
  readonly drain_ms_max: number
  /** From the first byte of a request to its last. */
  readonly request_ms_max: number
  readonly headers_ms_max: number
  /** How long a client may take to read an answer. */
  readonly answer_ms_max: number
  /** How long a connection may be idle between requests. */
  readonly idle_ms_max: number
}

export const httpBounds: HttpBounds = {
  inFlight_max: 1000,
  inFlightOfStrangers_max: 750,
  inFlightOfAddress_max: 500,
  inFlightOfIdentity_max: 100,
  queue: { atWork_max: 32, turn_ms_max: 5000, wait_ms_max: 2000, target_ms: 500, interval_ms: 1000 },
  drain_ms_max: 10_000,
  request_ms_max: 60_000,
  headers_ms_max: 15_000,
  answer_ms_max: 60_000,
  idle_ms_max: 65_000,
}

const MiB = 1024 * 1024

/** The most bytes of bodies that requests may hold at once. An image has up to 16 MiB, and strangers send none. */
export const heldBytes: ShareBounds = {
  all_max: 256 * MiB,
  strangers_max: 64 * MiB,
  address_max: 128 * MiB,
  identity_max: 32 * MiB,
}

/** How many requests may send files at once. Each of them has some hundred KiB in memory. */
export const uploadBounds: ShareBounds = { all_max: 64, strangers_max: 0, address_max: 32, identity_max: 4 }
