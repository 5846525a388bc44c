import { setTimeout as pause } from 'node:timers/promises'

const tick_ms = 5

/** Starts a task so many times a second, whether earlier ones are over or not. Resolves once all are; rejects as one does. */
export async function atRate(perSecond: number, seconds: number, task: () => Promise<void>): Promise<void> {
  const began = performance.now()
  const total = perSecond * seconds
  const tasks: Promise<void>[] = []
  while (tasks.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - began) / 1000) * perSecond))
    while (tasks.length < due) tasks.push(task())
    await pause(tick_ms)
  }
  await Promise.all(tasks)
}
