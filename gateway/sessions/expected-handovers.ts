import { LRUCache } from 'lru-cache'
import type { SessionHandover, SessionHandovers } from '../../application/ports/session-handovers.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'

/** How long a handover is expected: longer than a request lives. */
const expected_ms = 60_000
const expectedHandovers_max = 10_000

/** Sessions that may be about to be replaced by another one: the event of their end says whether they are. */
export interface ExpectedHandovers extends SessionHandovers {
  /** Takes the handover from an ended session to its successor, once; undefined if nobody has told of it. */
  take(fromTokenHash: string, toTokenHash: string): SessionHandover | undefined
}

/** Kept in this process's memory, since tokens are stored nowhere. */
export function expectedHandovers(): ExpectedHandovers {
  const expected = new LRUCache<string, SessionHandover>({ ...growsTo(expectedHandovers_max), ttl: expected_ms })
  return {
    expect: (handover) => void expected.set(keyOf(handover.fromTokenHash, handover.toTokenHash), handover),
    take(fromTokenHash, toTokenHash) {
      const key = keyOf(fromTokenHash, toTokenHash)
      const handover = expected.get(key)
      expected.delete(key)
      return handover
    },
  }
}

/** Several changes may be under way at once; at most one of them replaces the session. */
function keyOf(fromTokenHash: string, toTokenHash: string): string {
  return `${fromTokenHash} ${toTokenHash}`
}
