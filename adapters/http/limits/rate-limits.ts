import type { Rate } from '../../../application/ports/allowances.ts'
import { bucketTable } from './bucket-table.ts'
import type { Verdict } from './leaky-bucket.ts'

/** A bucket, by its key. */
export interface KeyedBucket {
  readonly key: string
  readonly rate: Rate
}

/** An amount to take from the bucket of a key, even below empty, in the unit of its rate. */
export interface Charge extends KeyedBucket {
  readonly amount: number
}

/** What two buckets say to a request that takes from the second only if the first admits it. */
export interface BothVerdicts {
  readonly first: Verdict
  /** Undefined if the first refuses. */
  readonly second: Verdict | undefined
}

/** Keeps leaky buckets by key. Concurrent requests are admitted exactly as often as sequential ones. */
export interface RateLimits {
  /** Takes one request from the bucket of a key. A refused request takes nothing. */
  take(key: string, rate: Rate): Promise<Verdict>
  /**
   * Takes one request from a first bucket and, if that admits it, from a second one, in one step. No bucket may be a first one for
   * some requests and a second one for others.
   */
  takeBoth(first: KeyedBucket, second: KeyedBucket): Promise<BothVerdicts>
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
  const take = ({ key, rate }: KeyedBucket): Verdict => table.take(key, rate, now())
  return {
    take: (key, rate) => Promise.resolve(take({ key, rate })),
    async takeBoth(first, second) {
      const verdict = take(first)
      return { first: verdict, second: verdict.admitted ? take(second) : undefined }
    },
    reset: async (key) => table.reset(key),
    look: (key, rate) => Promise.resolve(table.look(key, rate, now())),
  }
}
