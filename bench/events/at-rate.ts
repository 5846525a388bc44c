import { setTimeout as pause } from 'node:timers/promises'

const tick_ms = 5

/**
 * Starts a task this many times a second, whether or not earlier ones are over. Resolves once all are. After a rejection it
 * starts no more, and rejects with that error.
 */
export async function atRate(perSecond: number, seconds: number, task: () => Promise<void>): Promise<void> {
  const began = performance.now()
  const total = perSecond * seconds
  const tasks: Promise<void>[] = []
  const failures: unknown[] = []
  const started = async (): Promise<void> => {
    try {
      await task()
    } catch (error) {
      failures.push(error)
    }
  }
  while (tasks.length < total && failures.length === 0) {
    const due = Math.min(total, Math.ceil(((performance.now() - began) / 1000) * perSecond))
    while (tasks.length < due) tasks.push(started())
    await pause(tick_ms)
  }
  await Promise.all(tasks)
  if (failures.length > 0) throw failures[0]
}
