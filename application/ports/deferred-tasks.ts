/**
 * Work that no answer waits for, so the time of an answer reveals nothing about it. It is not guaranteed: tasks in progress are
 * lost when the process dies.
 */
export interface DeferredTasks {
  /** Starts a task. What it fails with is reported to the operator. Throws Unavailable where `deferredTasks_max` wait. */
  run(task: () => Promise<void>): void
}
