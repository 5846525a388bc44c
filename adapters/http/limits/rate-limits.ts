import type { Rate } from '../../../application/ports/allowances.js'
import { bucketTable } from './bucket-table.js'
import type { Verdict } from './leaky-bucket.js'

/** An amount to take from the bucket of a key, whatever is left in it, in the unit that its rate counts. */
export interface Charge {
  readonly key: string
  readonly rate: Rate
  readonly amount: number
}

/** Keeps leaky buckets, each under a key of its own. Many requests at once are admitted exactly as often as one by one. */
export interface RateLimits {
  /** Takes one request from the bucket of a key. A request that is refused takes nothing. */
  take(key: string, rate: Rate): Promise<Verdict>
  /** Fills the bucket of a key. */
  reset(key: string): Promise<void>
  /** What a take would come to right now. Takes nothing. */
  look(key: string, rate: Rate): Promise<Verdict>
  /**
   * Charges several buckets, each of another key, and gives in how many milliseconds each is full then; 0 for one that there is no
   * space for. Left out where no other process shares them.
   */
  readonly chargeTogether?: (charges: readonly Charge[]) => Promise<readonly number[]>
}

export interface MemoryRateLimitsSettings {
  /** Milliseconds of a clock that never steps back. */
  readonly now?: () => number
  readonly buckets_max?: number
}

export const buckets_max = 100_000

/** Buckets in the memory of this process: what one process admits, another does not know of. */
export function memoryRateLimits(settings: MemoryRateLimitsSettings = {}): RateLimits {
  const { now = () => performance.now() } = settings
  const table = bucketTable(settings.buckets_max ?? buckets_max)
  return {
    take: (key, rate) => Promise.resolve(table.take(key, rate, now())),
    reset: async (key) => table.reset(key),
    look: (key, rate) => Promise.resolve(table.look(key, rate, now())),
  }
}
