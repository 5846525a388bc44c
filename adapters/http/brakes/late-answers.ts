import { LRUCache } from 'lru-cache'
import { pause } from '../../../application/concurrency/pauses.ts'
import { charged } from '../limits/leaky-bucket.ts'

/** When clients that go on sending beyond their limits are answered. */
export interface LateAnswers {
  /**
   * Call before a request is refused for its sender's pace. Resolves when the refusal may be sent, at once for the first ones. False
   * if so many of the sender wait that its connection is to be closed instead. Where `mayClose` is false, because a proxy sends the
   * requests of many on it, each further refusal waits for `wait_ms_max`.
   */
  turn(sender: string, mayClose: boolean): Promise<boolean>
}

/** Refusals that a sender gets without a wait, and at what pace the later ones follow. */
export const refusalRate = { requests: 100, seconds: 10 }
export const wait_ms_max = 10_000
/** A sender that is forgotten gets its next refusals at once. */
const senders_max = 10_000

/**
 * A client that waits as long as a refusal says is never delayed here. For a client that does not, each refusal comes
 * later than the one before, and beyond `wait_ms_max` none comes any more. So what a sender costs beyond its limits has
 * a bound of its own. `ending` ends every wait.
 */
export function lateAnswers(ending: AbortSignal, now: () => number = () => performance.now()): LateAnswers {
  /** When the bucket of a sender is full again. */
  const fullAt = new LRUCache<string, number>({ max: senders_max })
  return {
    async turn(sender, mayClose) {
      const at = now()
      const next = charged(refusalRate, fullAt.get(sender) ?? 0, at, 1)
      const wait_ms = next - at - refusalRate.seconds * 1000
      const isTooLate = wait_ms > wait_ms_max
      if (isTooLate && mayClose) return false
      if (!isTooLate) fullAt.set(sender, next)
      if (wait_ms > 0) await pause(Math.min(wait_ms, wait_ms_max), ending)
      return true
    },
  }
}
