import { LRUCache } from 'lru-cache'
import type { SessionHandover, SessionHandovers } from '../../application/ports/session-handovers.js'
import { growsTo } from '../../domain/kernel/grows-to.js'

/** How long a handover is expected: longer than a request lives. */
const expected_ms = 60_000
const expectedHandovers_max = 10_000

/** Sessions that are about to be replaced by another one. */
export interface ExpectedHandovers extends SessionHandovers {
  /** Takes the replacement of an ended session, once; undefined if there is none. */
  take(tokenHash: string): SessionHandover | undefined
}

/** Kept in this process's memory, since tokens are stored nowhere. */
export function expectedHandovers(): ExpectedHandovers {
  const expected = new LRUCache<string, SessionHandover>({ ...growsTo(expectedHandovers_max), ttl: expected_ms })
  return {
    expect: (handover) => void expected.set(handover.fromTokenHash, handover),
    take(tokenHash) {
      const handover = expected.get(tokenHash)
      expected.delete(tokenHash)
      return handover
    },
  }
}
