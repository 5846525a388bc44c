import { createHash } from 'node:crypto'
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

interface Waiting {
  readonly ask: Ask
  readonly key: Buffer
  readonly keyText: string
  readonly rate: Rate
  readonly resolve: (verdict: Verdict) => void
  readonly reject: (error: unknown) => void
}

/**
 * Requests that arrive while a batch is under way go into the next batch together. One batch runs at a time, and the requests
 * of one bucket keep their order, so that each gets the answer that it would have got alone.
 */
export function takeBatches(spend: Spend, asks_max: number = waiting_max): TakeBatches {
  const queue: Waiting[] = []
  let running: Promise<void> | undefined
  let isClosed = false

  async function run(): Promise<void> {
    while (queue.length > 0) {
      // Callers answered by the batch before may ask again in the same turn of the event loop: let them join.
      await new Promise(setImmediate)
      await settle(nextBatch(queue), spend)
    }
    running = undefined
  }

  return {
    ask(ask, keyName, rate) {
      if (isClosed) return Promise.reject(new RateLimitsUnavailable('The rate limits are closed'))
      if (queue.length >= asks_max)
        return Promise.reject(new RateLimitsUnavailable(`${queue.length} asks of rate limits wait already`))
      const key = keyOfRow(keyName)
      return new Promise((resolve, reject) => {
        queue.push({ ask, key, keyText: key.toString('base64'), rate, resolve, reject })
        running ??= run()
      })
    },
    async close() {
      isClosed = true
      await running
    },
  }
}

/** The value that stands for a bucket's key in its row. */
export function keyOfRow(keyName: string): Buffer {
  return createHash('sha256').update(keyName).digest().subarray(0, 16)
}

type Batch = ReadonlyMap<string, readonly [Waiting, ...Waiting[]]>

/** Takes requests off the queue, by bucket. A bucket that is asked with another rate than before waits for the next batch. */
function nextBatch(queue: Waiting[]): Batch {
  const batch = new Map<string, [Waiting, ...Waiting[]]>()
  let count = 0
  for (const waiting of queue) {
    const same = batch.get(waiting.keyText)
    if (count === batchAsks_max || (!same && batch.size === batchKeys_max)) break
    if (same && !isSameRate(same[0].rate, waiting.rate)) break
    if (same) same.push(waiting)
    else batch.set(waiting.keyText, [waiting])
    count += 1
  }
  queue.splice(0, count)
  return batch
}

const isSameRate = (one: Rate, other: Rate): boolean => one.requests === other.requests && one.seconds === other.seconds

async function settle(batch: Batch, spend: Spend): Promise<void> {
  try {
    const asked = [...batch.values()]
    const standings = await spend(
      asked.map((of) => ({ key: of[0].key, rate: of[0].rate, takes: of.filter(({ ask }) => ask === 'take').length })),
    )
    const owed = new Map(standings.map(({ key, owed_ms }) => [key.toString('base64'), owed_ms]))
    for (const of of asked) answer(of, owed.get(of[0].keyText))
  } catch (error) {
    for (const of of batch.values()) for (const { reject } of of) reject(error)
  }
}

/** Gives the verdicts of one bucket's requests in order: the rows admitted them together, and each gets its own verdict. */
function answer(asks: readonly Waiting[], owed_ms: number | undefined): void {
  let fullAt = owed_ms ?? 0
  for (const { ask, rate, resolve } of asks) {
    const after = drip(rate, fullAt, 0)
    if (ask === 'take') fullAt = after.fullAt
    resolve(owed_ms === undefined ? noSpace : after.verdict)
  }
}
