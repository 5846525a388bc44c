import type { Timestamp } from '../../domain/kernel/timestamp.js'
import type { JobPayloads, Jobs } from '../ports/jobs.js'
import type { UnfinishedQueries, UnfinishedStep } from '../ports/queries/unfinished-queries.js'

/** Steps that one scan looks at; the next goes on where it ended, so that steps that stay unfinished hide no others. */
export const scannedSteps_max = 500

/**
 * Makes a scan for the steps that dead processes left: of each that began before `olderThan` it adds a job, where there is
 * none yet, that finishes it. Gives how many steps it looked at. Scans of several workers do no harm: a step has one job.
 */
export function queueUnfinished(
  unfinished: Pick<UnfinishedQueries, 'before'>,
  jobs: Jobs<Pick<JobPayloads, 'finish_step'>>,
) {
  let after: UnfinishedStep | undefined
  return async (olderThan: Timestamp): Promise<number> => {
    const steps = await unfinished.before(olderThan, scannedSteps_max, after)
    for (const { process, key, eventId } of steps)
      await jobs.add('finish_step', { process, key, eventId }, { key: `finish_step ${eventId}` })
    after = steps.length < scannedSteps_max ? undefined : steps.at(-1)
    return steps.length
  }
}
