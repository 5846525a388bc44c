import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { Jobs } from '../ports/jobs.ts'
import type { UnfinishedQueries, UnfinishedStep } from '../ports/queries/unfinished-queries.ts'
import type { StepTasks } from './process-manager.ts'
import { managerOf } from './process-managers.ts'

/** The number of steps in one scan. The next scan continues where it ended, so steps that stay unfinished hide no others. */
export const scannedSteps_max = 500

/**
 * Makes a scan for steps that dead processes left. For each step from before `olderThan` it adds a job that finishes it, unless
 * it has one already. The scan gives the number of steps seen. Several workers may scan at once: a step has one job.
 */
export function queueUnfinished(unfinished: Pick<UnfinishedQueries, 'before'>, jobs: Jobs<StepTasks>) {
  let after: UnfinishedStep | undefined
  return async (olderThan: Timestamp): Promise<number> => {
    const steps = await unfinished.before(olderThan, scannedSteps_max, after)
    for (const { process, key, eventId } of steps) {
      const { task } = managerOf({ process })
      await jobs.add(task, { process, key, eventId }, { key: `${task} ${eventId}` })
    }
    after = steps.length < scannedSteps_max ? undefined : steps.at(-1)
    return steps.length
  }
}
