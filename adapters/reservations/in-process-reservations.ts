import { LRUCache } from 'lru-cache'
import { keyedQueue } from '../../application/commands/keyed-queue.ts'
import type { Counted, Reservations } from '../../application/ports/reservations.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'

/** The state of one count. */
interface Tally {
  /** Acts that were admitted, and those of them that are over. Both only grow. */
  admitted: number
  over: number
  /** The last count that was read, and how many acts were over then: it includes all of those. */
  counted: { readonly count: number; readonly over: number } | undefined
  /** Calls that are at work or wait, and those of them that wait for their turn. */
  calls: number
  queued: number
  /** Resumes the call whose turn it is, once no act is at work. */
  resume: (() => void) | undefined
}

/** How many counts without calls are remembered. A forgotten count is read again. */
export const idleTallies_max = 20_000

/**
 * Reservations of one process. The true count never exceeds the last count plus all acts since. While that stays below the
 * limit, acts run side by side without reading the count again. Near the limit they take turns: each is admitted or refused by
 * a fresh count, while no other act is at work. This is exact as long as every act goes through this one object, and no failed
 * act is counted later.
 */
export function inProcessReservations(): Reservations {
  const tallies = openTallies()
  const turns = keyedQueue()
  return {
    async within(counts, act) {
      const entered = counts.map((counted) => ({ ...counted, tally: tallies.enter(counted.key) }))
      try {
        for (const { tally, count } of entered) if (!tally.counted) await recount(tally, count)
        if (entered.every(({ tally, limit }) => tally.queued === 0 && mostThereCanBe(tally) < limit))
          return await run(entered, act)
        return await inTurn(turns, entered, async () => {
          for (const { tally, count } of entered) await recount(tally, count)
          for (const { tally, limit, refuse } of entered) if (mostThereCanBe(tally) >= limit) refuse()
          return run(entered, act)
        })
      } finally {
        for (const { key, tally } of entered) tallies.leave(key, tally)
      }
    },
  }
}

type Entered = Counted & { readonly tally: Tally }

/** Turns are taken in the order of the keys, and acts at work wait for none: so none waits for another that waits for it. */
function inTurn<Result>(
  turns: ReturnType<typeof keyedQueue>,
  entered: readonly Entered[],
  act: () => Promise<Result>,
): Promise<Result> {
  for (const { tally } of entered) tally.queued += 1
  const alone = async (): Promise<Result> => {
    try {
      for (const { tally } of entered) await allOver(tally)
      return await act()
    } finally {
      for (const { tally } of entered) tally.queued -= 1
    }
  }
  return entered
    .map(({ key }) => key)
    .toSorted()
    .reduceRight<() => Promise<Result>>((inner, key) => () => turns.run(key, inner), alone)()
}

/** One tally for each key: kept while calls use it, and afterwards as long as there is space. */
function openTallies() {
  const busy = new Map<string, Tally>()
  const idle = new LRUCache<string, Tally>(growsTo(idleTallies_max))
  return {
    enter(key: string): Tally {
      const tally = busy.get(key) ?? idle.get(key) ?? newTally()
      idle.delete(key)
      busy.set(key, tally)
      tally.calls += 1
      return tally
    },
    leave(key: string, tally: Tally): void {
      tally.calls -= 1
      if (tally.calls > 0) return
      busy.delete(key)
      idle.set(key, tally)
    },
  }
}

function newTally(): Tally {
  return { admitted: 0, over: 0, counted: undefined, calls: 0, queued: 0, resume: undefined }
}

/** Acts that were over before the count was read are in it; acts that end later may be or not. */
async function recount(tally: Tally, count: () => Promise<number>): Promise<void> {
  const { over } = tally
  tally.counted = { count: await count(), over }
}

function mostThereCanBe({ admitted, counted }: Tally): number {
  return counted ? counted.count + admitted - counted.over : Number.POSITIVE_INFINITY
}

async function run<Result>(entered: readonly Entered[], act: () => Promise<Result>): Promise<Result> {
  for (const { tally } of entered) tally.admitted += 1
  try {
    return await act()
  } finally {
    for (const { tally } of entered) {
      tally.over += 1
      if (tally.over === tally.admitted) tally.resume?.()
    }
  }
}

/** Resolves once no act is at work. Only the call whose turn it is waits here. */
function allOver(tally: Tally): Promise<void> {
  if (tally.over === tally.admitted) return Promise.resolve()
  return new Promise((resolve) => {
    tally.resume = () => {
      tally.resume = undefined
      resolve()
    }
  })
}
