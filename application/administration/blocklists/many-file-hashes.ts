import type { EntryDetails } from '../../../domain/blocklist-entry/events.ts'
import type { BackgroundJobId } from '../../../domain/ids/ids.ts'
import { orderedBy } from '../jobs/ordered-work.ts'
import { queueOrderedWork } from '../jobs/queue-ordered-work.ts'
import type { BackgroundTaskWork } from '../jobs/run-background-job.ts'
import type { Caller } from '../../caller.ts'
import type { BackgroundTasks } from '../../ports/background-jobs.ts'
import type { Ports } from '../../ports.ts'
import { addEntries, removeEntries } from './change-blocklists.ts'
import type { ListedValue } from '../../content-rules/listed-value.ts'

/** How many streams are written at the same time: the store writes them together. */
const chunk = 250

type Queued = Promise<{ readonly job_id: BackgroundJobId }>

/** Starts a background job that adds many file hashes. Gives the job. */
export function addFileHashes({ backgroundJobs }: Pick<Ports, 'backgroundJobs'>) {
  return async (caller: Caller, values: readonly ListedValue[], details: EntryDetails): Queued => {
    const hashes = distinct(values)
    const jobId = await queueOrderedWork({ backgroundJobs }, caller, {
      task: 'ban_file_sha',
      work: { hashes, details, ...orderedBy(caller) },
      payload: { count: hashes.length, category: details.category, severity: details.severity },
      total: hashes.length,
    })
    return { job_id: jobId }
  }
}

/** Starts a background job that removes many file hashes. Gives the job. */
export function removeFileHashes({ backgroundJobs }: Pick<Ports, 'backgroundJobs'>) {
  return async (caller: Caller, values: readonly ListedValue[]): Queued => {
    const hashes = distinct(values)
    const jobId = await queueOrderedWork({ backgroundJobs }, caller, {
      task: 'unban_file_sha',
      work: { hashes, ...orderedBy(caller) },
      payload: { count: hashes.length },
      total: hashes.length,
    })
    return { job_id: jobId }
  }
}

const distinct = (values: readonly ListedValue[]): readonly string[] => [...new Set(values.map(({ value }) => value))]

/** The work of the job. An item is done once the read models hold it. Adding a hash a second time changes nothing. */
export function addingFileHashes(ports: Pick<Ports, 'aggregates' | 'blocklistBox' | 'readModels'>): BackgroundTaskWork {
  return {
    chunk,
    run: async ({ work, requestedBy }, from, to, context) => {
      // Only addFileHashes stores this task.
      const { hashes, details } = work as BackgroundTasks['ban_file_sha']
      const values = hashes.slice(from, to).map((hash) => ({ value: hash, key: hash }))
      await addEntries(ports, { list: 'file-sha', scope: null, values }, details, requestedBy, context)
      await ports.readModels.reached(context.written)
    },
  }
}

/** The work of the job that removes them. Removing a hash that is not listed changes nothing. */
export function removingFileHashes(
  ports: Pick<Ports, 'aggregates' | 'blocklistBox' | 'readModels'>,
): BackgroundTaskWork {
  return {
    chunk,
    run: async ({ work }, from, to, context) => {
      // Only removeFileHashes stores this task.
      const { hashes } = work as BackgroundTasks['unban_file_sha']
      const values = hashes.slice(from, to).map((hash) => ({ value: hash, key: hash }))
      await removeEntries(ports, { list: 'file-sha', scope: null, values }, context)
      await ports.readModels.reached(context.written)
    },
  }
}
