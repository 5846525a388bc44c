import type { Timestamp } from '../../domain/kernel/timestamp.js'
import type { UnfinishedStep } from '../ports/queries/unfinished-queries.js'
import { finishFound } from './finish-step.js'
import type { FinishingNeeds } from './finishing-needs.js'

/** What one run came to. */
export interface FinishReport {
  readonly finished: number
  readonly failures: readonly StepFailure[]
}

/** A step that could not be finished, and will be tried again. */
export interface StepFailure {
  readonly step: UnfinishedStep
  readonly error: unknown
}

/** Steps that are read at once. */
const page_max = 100
/** Steps that one run takes. What a process leaves is what it was doing when it died, far fewer than this. */
export const finishedSteps_max = 10_000

/**
 * Takes the steps that dead processes left: of every first step that began before `olderThan` and has no last one, the last,
 * at most `finishedSteps_max`. `olderThan` lies further back than any request lives, so that nobody is still at work on them.
 */
export function finishUnfinished(ports: FinishingNeeds) {
  return async (olderThan: Timestamp, now: Timestamp): Promise<FinishReport> => {
    const failures: StepFailure[] = []
    let taken = 0
    let after: UnfinishedStep | undefined
    while (taken < finishedSteps_max) {
      const steps = await ports.queries.unfinished.before(olderThan, page_max, after)
      for (const step of steps) {
        try {
          await finishFound(ports, step, now)
        } catch (error) {
          failures.push({ step, error })
        }
      }
      taken += steps.length
      after = steps.at(-1)
      if (steps.length < page_max) break
    }
    return { finished: taken - failures.length, failures }
  }
}
