import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import type { Deadline } from './deadlines.ts'

/**
 * The server can't be reached or gave no answer in time. A read has no result. Whether an append was written is unknown; the
 * same append again settles it.
 */
export class EventStoreUnavailable extends Unavailable {
  override readonly name = 'EventStoreUnavailable'
  override readonly part = 'event store'
}

/** The server ended a subscription because its reader was behind. The reader opens another one at once. */
export class ConsumerTooSlow extends EventStoreUnavailable {}

/**
 * The server can't read what it was asked for. Servers up to 24 answer this if no event begins at a position. It can be a fault
 * of the server too, so the caller who asked for a position has to check whether other reads succeed.
 */
export class EventStoreReadFault extends EventStoreUnavailable {}

/** The server was reached and refuses the request: asking again would not help. */
export class EventStoreRefusal extends Error {
  override readonly name = 'EventStoreRefusal'
}

/** No event begins at the requested position: it belongs to another store. */
export class NoSuchPosition extends EventStoreRefusal {}

/** gRPC status codes about the request itself. All others are about the connection or the server's state. */
const requestAtFault: ReadonlyMap<number, string> = new Map([
  [3, 'the request is not valid'],
  [5, 'not found'],
  [7, 'access denied: check the credentials in the connection string'],
  [9, 'a precondition failed'],
  [11, 'out of range'],
  [12, 'not implemented by this server'],
  [16, 'not authenticated: check the credentials in the connection string'],
])

/** How servers of different versions say, under different codes, that no event begins at a position. */
const invalidPosition = /invalid ?position/i

/** The answer of servers up to 24 if no event begins at a position, or if a read failed for any other reason. */
const readFault = /ReadAllResult: Error/
/** The answer of servers up to 23.10 to a subscriber that is more than 32 events behind. */
const tooSlow = /consumer too slow/i

/** The status that a call ended with. */
export const statusError = z.object({
  code: z.int(),
  details: z.string().catch(''),
  metadata: z.custom<{ get(name: string): readonly (string | Buffer)[] }>(hasGet).optional().catch(undefined),
})

const codeOf = { unknown: 2, aborted: 10 } as const

function hasGet(metadata: unknown): boolean {
  return typeof metadata === 'object' && metadata !== null && 'get' in metadata && typeof metadata.get === 'function'
}

/** Classifies the error of a call. */
export function failureOf(error: unknown): EventStoreUnavailable | EventStoreRefusal {
  if (error instanceof EventStoreUnavailable || error instanceof EventStoreRefusal) return error
  const status = statusError.safeParse(error)
  if (!status.success) return unreachable(error)
  const { code, details, metadata } = status.data
  if (invalidPosition.test(details)) {
    return new NoSuchPosition(`EventStoreDB refuses: the position is of another store (${details})`, { cause: error })
  }
  if (code === codeOf.aborted && tooSlow.test(details)) {
    return new ConsumerTooSlow('EventStoreDB ended a subscription whose reader was behind', { cause: error })
  }
  if (code === codeOf.unknown && readFault.test(details)) {
    return new EventStoreReadFault(`EventStoreDB could not read: ${details}`, { cause: error })
  }
  // A node that is not the leader answers "not found" with this exception; the next call goes to the leader.
  const notLeader = metadata?.get('exception').includes('not-leader') ?? false
  const fault = requestAtFault.get(code)
  if (fault === undefined || notLeader) return unreachable(error)
  return new EventStoreRefusal(`EventStoreDB refuses: ${fault} (${details})`, { cause: error })
}

function unreachable(error: unknown): EventStoreUnavailable {
  const reason = error instanceof Error ? error.message : String(error)
  return new EventStoreUnavailable(`EventStoreDB gave no answer: ${reason}`, { cause: error })
}

const pause_ms = { min: 20, max: 500 }
const try_ms_min = 20

/** Pauses between tries; each is twice as long as the one before. */
export interface Pauses {
  /** Pauses, at most for this long, and not after the signal aborts. */
  next(atMost_ms?: number): Promise<void>
  /** Makes the next pause the shortest one again. */
  reset(): void
}

export function pauses(signal?: AbortSignal): Pauses {
  let next_ms = pause_ms.min
  return {
    async next(atMost_ms = pause_ms.max) {
      const duration_ms = Math.min(next_ms, atMost_ms)
      next_ms = Math.min(next_ms * 2, pause_ms.max)
      await wait(duration_ms, undefined, signal ? { signal } : {}).catch((aborted: unknown) => aborted)
    },
    reset() {
      next_ms = pause_ms.min
    },
  }
}

/** Repeats an attempt that changes nothing until it succeeds, the server refuses, or the time is up. */
export async function persistently<Result>(deadline: Deadline, attempt: () => Promise<Result>): Promise<Result> {
  const between = pauses()
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable)) throw error
      await between.next(deadline.remaining_ms())
      // A last try without enough time would fail with a timeout and hide the real reason.
      if (deadline.remaining_ms() < try_ms_min) throw error
    }
  }
}

/** The result of `work`. Rejects with EventStoreUnavailable if the time is up first. */
export function inTime<Result>(deadline: Deadline, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new EventStoreUnavailable('EventStoreDB could not be reached in time'))
    const timer = setTimeout(late, deadline.remaining_ms())
    void work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
