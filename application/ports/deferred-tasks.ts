/** How many tasks may wait at once. */
export const deferredTasks_max = 1000

/**
 * Work that no answer waits for, so that the time of the answer tells nothing of it. It is no promise: what is under way when
 * the process dies is lost.
 */
export interface DeferredTasks {
  /** Starts a task. What it fails with is reported to the operator. Throws Unavailable where `deferredTasks_max` wait. */
  run(task: () => Promise<void>): void
}
