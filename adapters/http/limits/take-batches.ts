import { hash } from 'node:crypto'
import { inBatches, type Fits } from '../../../application/concurrency/batches.ts'
import type { Rate } from '../../../application/ports/allowances.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import type { Following, RowBucket, Spending, BucketState } from './bucket-rows.ts'
import { noSpace } from './bucket-table.ts'
import { drip, type Verdict } from './leaky-bucket.ts'
import type { BothVerdicts, KeyedBucket } from './rate-limits.ts'

/** The limits can't be checked right now: too many requests wait already, or the limits are closed. Nothing was taken. */
export class RateLimitsUnavailable extends Unavailable {
  override readonly name = 'RateLimitsUnavailable'
  override readonly part = 'rate limits'
}

/** A request to a bucket: take one request, or read the verdict that a take would give. */
export type Ask = 'take' | 'look'

export interface TakeBatches {
  ask(ask: Ask, key: string, rate: Rate): Promise<Verdict>
  /** As `RateLimits.takeBoth` does. */
  takeBoth(first: KeyedBucket, second: KeyedBucket): Promise<BothVerdicts>
  /** Resolves once all waiting requests are answered. Accepts no more. */
  close(): Promise<void>
}

/**
 * Gives the state of the buckets of a batch; a bucket without an answer has no space. Each key occurs once in `spendings`, and none of
 * them in `followings`.
 */
export type Spend = (
  spendings: readonly Spending[],
  followings: readonly Following[],
) => Promise<readonly BucketState[]>

/** The most keys in one batch. A larger batch would make others wait long for its rows. */
export const batchKeys_max = 256
const batchAsks_max = 4096
export const waiting_max = 20_000

interface Row extends RowBucket {
  readonly keyText: string
}

/** What is asked of one bucket, and of a second one if the first admits it. */
interface Asked {
  readonly ask: Ask
  readonly first: Row
  readonly second: Row | undefined
}

/** The asks of one bucket go in the order in which they came, so that each is answered as if it had been asked alone. */
export function takeBatches(spend: Spend, asks_max: number = waiting_max): TakeBatches {
  let isClosed = false
  const batches = inBatches<Asked, BothVerdicts>({
    run: (asks) => verdictsOf(asks, spend),
    begin: fitting,
    refusal: ({ items }) => {
      if (isClosed) return new RateLimitsUnavailable('The rate limits are closed')
      return items < asks_max ? undefined : new RateLimitsUnavailable(`${items} asks of rate limits wait already`)
    },
  })
  return {
    async ask(ask, key, rate) {
      return (await batches.add({ ask, first: rowOf({ key, rate }), second: undefined })).first
    },
    takeBoth: (first, second) => batches.add({ ask: 'take', first: rowOf(first), second: rowOf(second) }),
    async close() {
      isClosed = true
      await batches.settled()
    },
  }
}

function rowOf({ key: keyName, rate }: KeyedBucket): Row {
  const key = keyOfRow(keyName)
  return { key, keyText: key.toString('base64'), rate }
}

/** The value that stands for a bucket's key in its row. */
export function keyOfRow(keyName: string): Buffer {
  return hash('sha256', keyName, 'buffer').subarray(0, 16)
}

/** A bucket that is asked by another rate or in another part than before waits for the next batch. */
function fitting(): Fits<Asked> {
  const joined = new Map<string, { readonly rate: Rate; readonly isSecond: boolean }>()
  let count = 0
  const mayJoin = ({ keyText, rate }: Row, isSecond: boolean): boolean => {
    const known = joined.get(keyText)
    return !known || (known.isSecond === isSecond && isSameRate(known.rate, rate))
  }
  return ({ first, second }) => {
    const added_count = (joined.has(first.keyText) ? 0 : 1) + (!second || joined.has(second.keyText) ? 0 : 1)
    if (count === batchAsks_max || joined.size + added_count > batchKeys_max) return false
    if (!mayJoin(first, false) || (second && !mayJoin(second, true))) return false
    joined.set(first.keyText, { rate: first.rate, isSecond: false })
    if (second) joined.set(second.keyText, { rate: second.rate, isSecond: true })
    count += 1
    return true
  }
}

const isSameRate = (one: Rate, other: Rate): boolean => one.requests === other.requests && one.seconds === other.seconds

/** What the rows admitted together, told one by one: the asks of a bucket in their order. */
async function verdictsOf(asks: readonly Asked[], spend: Spend): Promise<readonly BothVerdicts[]> {
  const spendings = new Map<string, Spending>()
  const followings: Following[] = []
  for (const { ask, first, second } of asks) {
    const takes = (spendings.get(first.keyText)?.takes ?? 0) + (ask === 'take' ? 1 : 0)
    spendings.set(first.keyText, { key: first.key, rate: first.rate, takes })
    if (second) followings.push({ key: second.key, rate: second.rate, after: first.key, turn: takes })
  }
  const states = await spend([...spendings.values()], followings)
  const owed = new Map(states.map(({ key, owed_ms }) => [key.toString('base64'), owed_ms]))
  const verdictOf = (ask: Ask, { keyText, rate }: Row): Verdict => {
    const owed_ms = owed.get(keyText)
    if (owed_ms === undefined) return noSpace
    const after = drip(rate, owed_ms, 0)
    if (ask === 'take') owed.set(keyText, after.fullAt)
    return after.verdict
  }
  return asks.map(({ ask, first: ofFirst, second }) => {
    const first = verdictOf(ask, ofFirst)
    return { first, second: second && first.admitted ? verdictOf('take', second) : undefined }
  })
}
