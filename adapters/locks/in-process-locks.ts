import { keyedQueue } from '../../application/commands/keyed-queue.js'
import type { Locks } from '../../application/ports/locks.js'

/** Locks for one process. Later callers wait, without a time limit. */
export function inProcessLocks(): Locks {
  const queue = keyedQueue()
  return {
    holding: (key, act) => queue.run(key, async () => ({ result: await act() })),
  }
}
