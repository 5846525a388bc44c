/** How many tasks may wait at once. */
export const afterwards_max = 1000

/**
 * Work that no answer waits for, so the time of an answer reveals nothing about it. It is not guaranteed: tasks in progress are
 * lost when the process dies.
 */
export interface Afterwards {
  /** Starts a task. Its errors are reported to the operator. Throws Unavailable when `afterwards_max` tasks are waiting. */
  run(task: () => Promise<void>): void
}
