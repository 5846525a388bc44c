import type { Rate } from '../../../application/ports/allowances.js'
import type { Bucket } from '../bucket.js'
import { perUser } from '../bucket.js'
import { bucketTable } from './bucket-table.js'
import type { Verdict } from './leaky-bucket.js'
import { buckets_max, type Charge, type RateLimits } from './rate-limits.js'

/** What a request took besides being one (abuse matrix, A47; decision 54). */
export interface Cost {
  /** Of the event loop, in milliseconds, as far as it is measured. */
  readonly processor_ms: number
  /** Of its body and of its answer. */
  readonly bytes: number
}

/** What one identity may take in `seconds`: at once, and then as it flows back. */
export const costs_max = { seconds: 10, processor_ms: 2000, bytes: 64 * 1024 * 1024 } as const

/** How long what was taken here is gathered until other processes hear of it. */
export const share_ms = 250
/** One request is charged at most what comes back in this time: a machine that slept keeps nobody out for longer. */
const charge_seconds_max = 60
/** Of identities with something to tell; what more of them take is counted here alone. */
const untold_max = 10_000

const { seconds } = costs_max
const kinds = ['processor', 'bytes'] as const
type Kind = (typeof kinds)[number]

/** The buckets of what requests cost: they count milliseconds and bytes where others count requests. */
const buckets: Readonly<Record<Kind, Bucket>> = {
  processor: perUser('cost:processor_ms', { requests: costs_max.processor_ms, seconds }),
  bytes: perUser('cost:bytes', { requests: costs_max.bytes, seconds }),
}

/** Whom a cost is charged to. `times`: how many times as much as others they may take. */
export interface Payer {
  readonly identity: string
  readonly times: number
}

/** A bucket of costs, how it stands, and the unit that it counts. */
export interface CostStanding {
  readonly bucket: Bucket
  readonly unit: 'milliseconds' | 'bytes'
  readonly verdict: Verdict
}

export interface Costs {
  /** How the buckets of an identity stand, in milliseconds of the processor and in bytes, before a request. Takes nothing. */
  look(payer: Payer): readonly CostStanding[]
  /** Charges what a request took, whatever is left: one request may overdraw. */
  charge(payer: Payer, cost: Cost): void
  /** Tells other processes what they have not heard yet, and tells no more. */
  close(): Promise<void>
}

export interface CostsSettings {
  /** How processes charge together; this one is alone where it is left out. */
  readonly chargeTogether?: RateLimits['chargeTogether']
  /** Told of charges that other processes could not be told of. They count here. */
  readonly onError: (error: unknown) => void
  /** Milliseconds of a clock that never steps back. */
  readonly now?: () => number
}

/**
 * Counts here, exactly and without waiting; processes tell each other through the buckets that they share, so that each knows
 * what an identity took at the others `share_ms` and one statement later, once it has taken something here too.
 */
export function costsOf({ chargeTogether, onError, now = () => performance.now() }: CostsSettings): Costs {
  const table = bucketTable(buckets_max)
  let untold = new Map<string, Charge>()
  let timer: NodeJS.Timeout | undefined
  let telling: Promise<void> = Promise.resolve()

  function note(key: string, rate: Rate, amount: number): void {
    const known = untold.get(key)
    if (!known && untold.size >= untold_max) return
    untold.set(key, { key, rate, amount: amount + (known?.amount ?? 0) })
    timer ??= setTimeout(() => {
      telling = tell()
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
      await telling
      await tell()
    },
  }
}

const keyOf = (kind: Kind, identity: string): string => `cost ${kind} ${identity}`
