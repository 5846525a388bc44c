import type { PostgresDatabase } from '../../postgres/database.ts'
import { openBucketRows, removedAtOnce_max, type BucketRows, type HeldBeside } from './bucket-rows.ts'
import type { Charge, RateLimits } from './rate-limits.ts'
import { batchKeys_max, keyOfRow, takeBatches } from './take-batches.ts'

export interface PostgresRateLimitsSettings {
  /**
   * At most three of its connections are used at once. Its statements should have a time limit, because requests wait for them.
   */
  readonly database: PostgresDatabase
  /** Called when the removal of full buckets fails. The next removal runs as usual. */
  readonly onError?: (error: unknown) => void
  /** Told what the read models hold after requests came, before they go on. */
  readonly held?: HeldBeside | undefined
  /** A clock in milliseconds, instead of Postgres' clock, which all processes share. */
  readonly now?: () => number
  readonly buckets_max?: number
  readonly sweepEvery_ms?: number
}

export type PostgresRateLimits = RateLimits & {
  /** Answers the waiting requests, and accepts no more. */
  close(): Promise<void>
}

/** A row takes some 150 bytes with its index: 30 MB in all. */
export const sharedBuckets_max = 200_000
const sweepEvery_ms = 5000
/** When there is no space, the next search for space waits this long instead of running for each request. */
const spacePause_ms = 1000
/** The most removals in one sweep: twice what the table holds. */
const removals_max = 40

/**
 * Buckets in the schema `rate_limits`: any number of processes together admit exactly what one would. Time comes from Postgres'
 * clock. Rejects with an Unavailable if Postgres is unavailable: then no request is admitted.
 */
export function openPostgresRateLimits(settings: PostgresRateLimitsSettings): PostgresRateLimits {
  const { database, onError = () => undefined } = settings
  const rows = openBucketRows(database, settings)
  const space = spaceIn(rows, settings.buckets_max ?? sharedBuckets_max)
  const batches = takeBatches(async (spendings, followings) => {
    const states = await rows.spend(spendings, followings, await space.mayAdd())
    space.noteAdded(states.filter(({ added }) => added).length)
    return states
  })
  async function chargeTogether(charges: readonly Charge[]): Promise<readonly number[]> {
    const owed = new Map<string, number>()
    for (let from = 0; from < charges.length; from += batchKeys_max) {
      const batch = charges
        .slice(from, from + batchKeys_max)
        .map((charge) => ({ ...charge, key: keyOfRow(charge.key) }))
      const states = await rows.charge(batch, await space.mayAdd())
      space.noteAdded(states.filter(({ added }) => added).length)
      for (const { key, owed_ms } of states) owed.set(key.toString('base64'), owed_ms)
    }
    return charges.map(({ key }) => owed.get(keyOfRow(key).toString('base64')) ?? 0)
  }
  const sweeping = setInterval(() => void space.make().catch(onError), settings.sweepEvery_ms ?? sweepEvery_ms).unref()
  return {
    take: (key, rate) => batches.ask('take', key, rate),
    takeBoth: (first, second) => batches.takeBoth(first, second),
    look: (key, rate) => batches.ask('look', key, rate),
    chargeTogether,
    reset: (key) => rows.remove(keyOfRow(key)),
    async close() {
      clearInterval(sweeping)
      await batches.close()
      await space.settled()
    },
  }
}

interface Space {
  /** Whether this process may add buckets. Makes space first if it has added all that it may add between two counts. */
  mayAdd(): Promise<boolean>
  noteAdded(count: number): void
  /** Removes what can be removed, and counts the rest. */
  make(): Promise<void>
  /** Resolves once no removal is under way. */
  settled(): Promise<void>
}

/**
 * Keeps the table to `buckets_max` rows, plus a tenth for each process beside the first, since each counts for itself.
 * Full buckets are removed first, without loss; then those that are full soonest, but never an exhausted one, which
 * would give an offender a new start. If all are exhausted, a key without a bucket is refused. The decision reads the
 * rows themselves, locked by the statement that asks.
 */
function spaceIn(rows: BucketRows, buckets_max: number): Space {
  const share = Math.ceil(buckets_max / 10)
  let left = 0
  let askAgainAt = 0
  let making: Promise<void> | undefined

  async function make(): Promise<void> {
    for (let removals = 0; removals < removals_max; removals += 1) {
      if ((await rows.removeFull()) < removedAtOnce_max) break
    }
    const before = await rows.count(buckets_max * 2)
    const excess = before + share - buckets_max
    const removed = excess > 0 ? await rows.removeSoonestFull(excess) : 0
    left = Math.min(share, buckets_max - before + removed)
    askAgainAt = left > 0 ? 0 : performance.now() + spacePause_ms
  }

  function makeOnce(): Promise<void> {
    making ??= make().finally(() => (making = undefined))
    return making
  }

  return {
    async mayAdd() {
      if (left <= 0 && performance.now() >= askAgainAt) await makeOnce()
      return left > 0
    },
    noteAdded: (count) => void (left -= count),
    make: makeOnce,
    settled: async () => making?.catch(() => undefined),
  }
}
