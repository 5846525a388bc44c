import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { UnfinishedStep } from '../ports/queries/unfinished-queries.ts'
import type { FinishingNeeds } from './finishing-needs.ts'
import { managerOf } from './process-managers.ts'

/** The result of one run. */
export interface FinishReport {
  readonly finished: number
  readonly failures: readonly StepFailure[]
}

/** A step that could not be finished and will be tried again. */
export interface StepFailure {
  readonly step: UnfinishedStep
  readonly error: unknown
}

/** The number of steps read by one query. */
const page_max = 100
/** The number of steps in one run. A process leaves only what it was doing when it died, far fewer than this. */
export const finishedSteps_max = 10_000

/**
 * Finishes the steps that dead processes left: all first steps from before `olderThan` without a last one, at most
 * `finishedSteps_max`, except those that are left to the jobs of `queueUnfinished`. `olderThan` is further back than any request lives, so nobody is still
 * working on them.
 */
export function finishUnfinished(ports: FinishingNeeds) {
  return async (olderThan: Timestamp, now: Timestamp): Promise<FinishReport> => {
    const failures: StepFailure[] = []
    let taken = 0
    let after: UnfinishedStep | undefined
    while (taken < finishedSteps_max) {
      const steps = await ports.queries.unfinished.before(olderThan, page_max, after)
      const wanted = steps.filter((step) => !managerOf(step).isLeftToJobs)
      for (const step of wanted) {
        try {
          await managerOf(step).finish(ports, step, now)
        } catch (error) {
          failures.push({ step, error })
        }
      }
      taken += wanted.length
      after = steps.at(-1)
      if (steps.length < page_max) break
    }
    return { finished: taken - failures.length, failures }
  }
}
