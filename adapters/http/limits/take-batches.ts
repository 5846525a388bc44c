import { createHash } from 'node:crypto'
import { inBatches, type Fits } from '../../../application/concurrency/batches.js'
import type { Rate } from '../../../application/ports/allowances.js'
import { Unavailable } from '../../../application/ports/unavailable.js'
import type { Spending, Standing } from './bucket-rows.js'
import { noSpace } from './bucket-table.js'
import { drip, type Verdict } from './leaky-bucket.js'

/** The limits can't be checked right now: too many requests wait already, or the limits are closed. Nothing was taken. */
export class RateLimitsUnavailable extends Unavailable {
  override readonly name = 'RateLimitsUnavailable'
  override readonly part = 'rate limits'
}

/** A request to a bucket: take one request, or read the verdict that a take would give. */
export type Ask = 'take' | 'look'

export interface TakeBatches {
  ask(ask: Ask, key: string, rate: Rate): Promise<Verdict>
  /** Resolves once all waiting requests are answered. Accepts no more. */
  close(): Promise<void>
}

/** Gives the state of the buckets of a batch; a bucket without an answer has no space. Each key occurs once. */
export type Spend = (spendings: readonly Spending[]) => Promise<readonly Standing[]>

/** The most keys in one batch. A larger batch would make others wait long for its rows. */
export const batchKeys_max = 256
const batchAsks_max = 4096
export const waiting_max = 20_000

/** What is asked of one bucket, which has its rate and the key of its row. */
interface Asked {
  readonly ask: Ask
  readonly key: Buffer
  readonly keyText: string
  readonly rate: Rate
}

/** The asks of one bucket go in the order in which they came, so that each is answered as if it had been asked alone. */
export function takeBatches(spend: Spend, asks_max: number = waiting_max): TakeBatches {
  let isClosed = false
  const batches = inBatches<Asked, Verdict>({
    run: (asks) => verdictsOf(asks, spend),
    begin: fitting,
    refusal: ({ items }) => {
      if (isClosed) return new RateLimitsUnavailable('The rate limits are closed')
      return items < asks_max ? undefined : new RateLimitsUnavailable(`${items} asks of rate limits wait already`)
    },
  })
  return {
    ask(ask, keyName, rate) {
      const key = keyOfRow(keyName)
      return batches.add({ ask, key, keyText: key.toString('base64'), rate })
    },
    async close() {
      isClosed = true
      await batches.settled()
    },
  }
}

/** The value that stands for a bucket's key in its row. */
export function keyOfRow(keyName: string): Buffer {
  return createHash('sha256').update(keyName).digest().subarray(0, 16)
}

/** A bucket that is asked by another rate than before waits for the next batch. */
function fitting(): Fits<Asked> {
  const rates = new Map<string, Rate>()
  let count = 0
  return ({ keyText, rate }) => {
    const known = rates.get(keyText)
    if (count === batchAsks_max || (!known && rates.size === batchKeys_max)) return false
    if (known && !isSameRate(known, rate)) return false
    rates.set(keyText, rate)
    count += 1
    return true
  }
}

const isSameRate = (one: Rate, other: Rate): boolean => one.requests === other.requests && one.seconds === other.seconds

/** What the rows admitted together, told one by one: the asks of a bucket in their order. */
async function verdictsOf(asks: readonly Asked[], spend: Spend): Promise<readonly Verdict[]> {
  const spendings = new Map<string, Spending>()
  for (const { ask, key, keyText, rate } of asks) {
    const takes = (spendings.get(keyText)?.takes ?? 0) + (ask === 'take' ? 1 : 0)
    spendings.set(keyText, { key, rate, takes })
  }
  const standings = await spend([...spendings.values()])
  const owed = new Map(standings.map(({ key, owed_ms }) => [key.toString('base64'), owed_ms]))
  return asks.map(({ ask, keyText, rate }) => {
    const owed_ms = owed.get(keyText)
    if (owed_ms === undefined) return noSpace
    const after = drip(rate, owed_ms, 0)
    if (ask === 'take') owed.set(keyText, after.fullAt)
    return after.verdict
  })
}
