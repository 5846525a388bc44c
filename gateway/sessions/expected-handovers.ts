import { LRUCache } from 'lru-cache'
import type { SessionHandover, SessionHandovers } from '../../application/ports/session-handovers.js'
import { growsTo } from '../../domain/kernel/grows-to.js'

/** How long a handover is waited for: longer than a request lives. */
const expected_ms = 60_000
const expectedHandovers_max = 10_000

/** The sessions of which another one is about to take the place, until it has. */
export interface ExpectedHandovers extends SessionHandovers {
  /** What takes the place of a session that has ended, once; undefined where nothing does. */
  take(tokenHash: string): SessionHandover | undefined
}

/** Keeps them in the memory of this process, since tokens are written down nowhere. */
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
