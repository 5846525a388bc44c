import type { Rate } from '../../../application/ports/allowances.js'
import { bucketTable } from './bucket-table.js'
import type { Verdict } from './leaky-bucket.js'

/** An amount to take from the bucket of a key, even below empty, in the unit of its rate. */
export interface Charge {
  readonly key: string
  readonly rate: Rate
  readonly amount: number
}

/** Keeps leaky buckets by key. Concurrent requests are admitted exactly as often as sequential ones. */
export interface RateLimits {
  /** Takes one request from the bucket of a key. A refused request takes nothing. */
  take(key: string, rate: Rate): Promise<Verdict>
  /** Fills the bucket of a key. */
  reset(key: string): Promise<void>
  /** The verdict that a take would give right now. Takes nothing. */
  look(key: string, rate: Rate): Promise<Verdict>
  /**
   * Charges several buckets with different keys. Gives in how many milliseconds each is full then; 0 for a bucket without
   * space. Absent if no other process shares the buckets.
   */
  readonly chargeTogether?: (charges: readonly Charge[]) => Promise<readonly number[]>
}

export interface MemoryRateLimitsSettings {
  /** Milliseconds, from a clock that never steps back. */
  readonly now?: () => number
  readonly buckets_max?: number
}

export const buckets_max = 100_000

/** Buckets in the memory of this process. Other processes do not see them. */
export function memoryRateLimits(settings: MemoryRateLimitsSettings = {}): RateLimits {
  const { now = () => performance.now() } = settings
  const table = bucketTable(settings.buckets_max ?? buckets_max)
  return {
    take: (key, rate) => Promise.resolve(table.take(key, rate, now())),
    reset: async (key) => table.reset(key),
    look: (key, rate) => Promise.resolve(table.look(key, rate, now())),
  }
}
