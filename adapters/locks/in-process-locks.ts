import { keyedQueue } from '../../application/commands/keyed-queue.ts'
import type { Locks } from '../../application/ports/locks.ts'

/** Locks for one process. Later callers wait, without a time limit. */
export function inProcessLocks(): Locks {
  const queue = keyedQueue()
  return {
    holding: (key, act) => queue.run(key, async () => ({ result: await act() })),
  }
}
