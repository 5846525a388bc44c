import type { Rate } from '../../../application/ports/allowances.ts'
import type { Bucket } from '../bucket.ts'
import { perUser } from '../bucket.ts'
import { bucketTable } from './bucket-table.ts'
import type { Verdict } from './leaky-bucket.ts'
import { buckets_max, type Charge, type RateLimits } from './rate-limits.ts'

/** What a request consumed (decision 54). */
export interface Cost {
  /** Time on the event loop in milliseconds, as far as it is measured. */
  readonly processor_ms: number
  /** The size of its body and its answer. */
  readonly bytes: number
}

/** What one identity may consume in `seconds`: at once at first, and then as it refills. */
export const costs_max = { seconds: 10, processor_ms: 2000, bytes: 64 * 1024 * 1024 } as const

/** How long charges of this process are gathered before other processes hear of them. */
export const share_ms = 250
/** A request is charged at most what refills in this time, so that a machine that slept locks nobody out for longer. */
const charge_seconds_max = 60
/** The most identities with unshared charges. Charges of further identities count in this process alone. */
const untold_max = 10_000

const { seconds } = costs_max
const kinds = ['processor', 'bytes'] as const
type Kind = (typeof kinds)[number]

/** The buckets of costs. They count milliseconds and bytes instead of requests. */
const buckets: Readonly<Record<Kind, Bucket>> = {
  processor: perUser('cost:processor_ms', { requests: costs_max.processor_ms, seconds }),
  bytes: perUser('cost:bytes', { requests: costs_max.bytes, seconds }),
}

/** The identity that pays a cost. `times`: how many times as much as others it may consume. */
export interface Payer {
  readonly identity: string
  readonly times: number
}

/** A bucket of costs, its state, and the unit that it counts. */
export interface CostState {
  readonly bucket: Bucket
  readonly unit: 'milliseconds' | 'bytes'
  readonly verdict: Verdict
}

export interface Costs {
  /** The state of an identity's buckets before a request, in milliseconds of processor time and in bytes. Takes nothing. */
  look(payer: Payer): readonly CostState[]
  /** Charges what a request consumed, even below empty: one request may overdraw. */
  charge(payer: Payer, cost: Cost): void
  /** Shares the remaining charges with other processes, and stops. */
  close(): Promise<void>
}

export interface CostsSettings {
  /** How processes share their charges. If absent, this process is alone. */
  readonly chargeTogether?: RateLimits['chargeTogether']
  /** Called when charges could not be shared. They count in this process. */
  readonly onError: (error: unknown) => void
  /** Milliseconds, from a clock that never steps back. */
  readonly now?: () => number
}

/**
 * Counts in this process, exactly and without waiting. Processes share their charges through the common buckets. So each knows
 * what an identity consumed at the others, `share_ms` and one statement later, once the identity has consumed something here
 * too.
 */
export function costsOf({ chargeTogether, onError, now = () => performance.now() }: CostsSettings): Costs {
  const table = bucketTable(buckets_max)
  let untold = new Map<string, Charge>()
  let timer: NodeJS.Timeout | undefined
  let sharing: Promise<void> = Promise.resolve()

  function note(key: string, rate: Rate, amount: number): void {
    const known = untold.get(key)
    if (!known && untold.size >= untold_max) return
    untold.set(key, { key, rate, amount: amount + (known?.amount ?? 0) })
    timer ??= setTimeout(() => {
      sharing = tell()
    }, share_ms).unref()
  }

  async function tell(): Promise<void> {
    timer = undefined
    const charges = [...untold.values()]
    untold = new Map()
    if (!chargeTogether || charges.length === 0) return
    try {
      const owed = await chargeTogether(charges)
      for (const [index, { key, rate }] of charges.entries()) table.raise(key, rate, owed[index] ?? 0, now())
    } catch (error) {
      onError(error)
    }
  }

  function chargeOne(kind: Kind, { identity, times }: Payer, spent: number): void {
    const { requests } = buckets[kind]
    const rate = { requests: requests * times, seconds }
    const amount = Math.min(spent, (rate.requests * charge_seconds_max) / seconds)
    if (amount <= 0) return
    const key = keyOf(kind, identity)
    table.charge(key, rate, amount, now())
    if (chargeTogether) note(key, rate, amount)
  }

  return {
    look: ({ identity, times }) =>
      kinds.map((kind) => {
        const bucket = { ...buckets[kind], requests: buckets[kind].requests * times }
        const verdict = table.look(keyOf(kind, identity), bucket, now())
        const remaining = verdict.admitted ? verdict.remaining + 1 : 0
        return { bucket, unit: kind === 'bytes' ? 'bytes' : 'milliseconds', verdict: { ...verdict, remaining } }
      }),
    charge(payer, { processor_ms, bytes }) {
      chargeOne('processor', payer, processor_ms)
      chargeOne('bytes', payer, bytes)
    },
    async close() {
      clearTimeout(timer)
      await sharing
      await tell()
    },
  }
}

const keyOf = (kind: Kind, identity: string): string => `cost ${kind} ${identity}`
