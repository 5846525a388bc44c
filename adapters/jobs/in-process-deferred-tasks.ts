import { setImmediate } from 'node:timers/promises'
import type { DeferredTasks } from '../../application/ports/deferred-tasks.ts'
import { Unavailable } from '../../application/failures/unavailable.ts'

/** How many tasks may wait at once. */
export const deferredTasks_max = 1000

export type InProcessDeferredTasks = DeferredTasks & {
  /** Resolves once no task is under way. */
  close(): Promise<void>
}

/** The most tasks at work at once: few, so that they leave database connections to callers who wait for an answer. */
export const tasksAtWork_max = 4

/** Runs tasks in this process, in order, after the current turn of the event loop. Failures are reported to `onError`. */
export function inProcessDeferredTasks(onError: (error: unknown) => void): InProcessDeferredTasks {
  const waiting: (() => Promise<void>)[] = []
  const workers = new Set<Promise<void>>()
  let atWork = 0

  /** Runs tasks until none waits. */
  async function work(): Promise<void> {
    await setImmediate()
    for (let task = waiting.shift(); task; task = waiting.shift()) await task().catch(onError)
    atWork -= 1
  }

  return {
    run(task) {
      if (waiting.length >= deferredTasks_max) throw new Unavailable(`${deferredTasks_max} tasks wait`)
      waiting.push(task)
      if (atWork >= tasksAtWork_max) return
      atWork += 1
      const worker = work().finally(() => workers.delete(worker))
      workers.add(worker)
    },
    async close() {
      while (workers.size > 0) await Promise.all(workers)
    },
  }
}
