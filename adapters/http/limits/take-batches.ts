import { createHash } from 'node:crypto'
import type { Rate } from '../../../application/ports/allowances.js'
import { Unavailable } from '../../../application/ports/unavailable.js'
import type { Spending, Standing } from './bucket-rows.js'
import { noSpace } from './bucket-table.js'
import { drip, type Verdict } from './leaky-bucket.js'

/** The limits can't be asked right now: too many asks wait already, or they are closed. Nothing was taken. */
export class RateLimitsUnavailable extends Unavailable {
  override readonly name = 'RateLimitsUnavailable'
  override readonly part = 'rate limits'
}

/** What is asked of a bucket: to take a request, or what a take would come to. */
export type Ask = 'take' | 'look'

export interface TakeBatches {
  ask(ask: Ask, key: string, rate: Rate): Promise<Verdict>
  /** Resolves when all that were asked are answered. Takes no more. */
  close(): Promise<void>
}

/** How the buckets of a batch stood; one without an answer has no space. Each key comes once. */
export type Spend = (spendings: readonly Spending[]) => Promise<readonly Standing[]>

/** Of one batch. More would make others wait long for the rows of these. */
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
 * Asks that come while a batch is on its way go together in the next one. One batch at a time, and the asks of one bucket in
 * the order in which they came, so that each is answered as if it had been asked alone.
 */
export function takeBatches(spend: Spend, asks_max: number = waiting_max): TakeBatches {
  const queue: Waiting[] = []
  let running: Promise<void> | undefined
  let isClosed = false

  async function run(): Promise<void> {
    while (queue.length > 0) {
      // Whoever was answered by the batch before may ask again in the same turn of the event loop: let them join.
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

/** What stands for the key of a bucket in its row. */
export function keyOfRow(keyName: string): Buffer {
  return createHash('sha256').update(keyName).digest().subarray(0, 16)
}

type Batch = ReadonlyMap<string, readonly [Waiting, ...Waiting[]]>

/** Takes asks off the queue, by bucket. A bucket that is asked by another rate than before waits for the next batch. */
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

/** The verdicts of one bucket's asks, in their order: what the rows admitted together, told one by one. */
function answer(asks: readonly Waiting[], owed_ms: number | undefined): void {
  let fullAt = owed_ms ?? 0
  for (const { ask, rate, resolve } of asks) {
    const after = drip(rate, fullAt, 0)
    if (ask === 'take') fullAt = after.fullAt
    resolve(owed_ms === undefined ? noSpace : after.verdict)
  }
}
