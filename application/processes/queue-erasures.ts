import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { JobPayloads, Jobs } from '../ports/jobs.ts'
import type { ErasureQueries } from '../ports/queries/erasure-queries.ts'

/** The maximum number of accounts in one run. */
export const dueErasures_max = 1000

/** Adds an erasure job for each account whose deletion is due, unless it has one already. Gives the number of accounts found. */
export function queueErasures(erasures: Pick<ErasureQueries, 'due'>, jobs: Jobs<Pick<JobPayloads, 'erase_account'>>) {
  return async (now: Timestamp): Promise<number> => {
    const due = await erasures.due(now, dueErasures_max)
    for (const accountId of due) await jobs.add('erase_account', { accountId }, { key: `erase_account ${accountId}` })
    return due.length
  }
}
