import { expect } from 'vitest'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { auditEntries, type RecordedEntry } from '../../support/administrators.ts'
import { bodyOf } from './answers.ts'

type Job = Readonly<Record<string, unknown>>

/** The requests of an administrator about bulk jobs. */
export function bulkJobsOn({ request }: Pick<TestGuildhall, 'request'>, { token }: Pick<TestAccount, 'token'>) {
  const queue = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> =>
    request('POST', '/v1/admin/bulk-jobs', { token, body, headers })
  const jobAt = async (id: unknown): Promise<Job> =>
    bodyOf(await request('GET', `/v1/admin/jobs/${String(id)}`, { token }))['job'] as Job
  /** Waits for the end of a job. */
  const ended = async (id: unknown): Promise<Job> => {
    await expect.poll(async () => (await jobAt(id))['completed_at']).not.toBeNull()
    return jobAt(id)
  }
  return {
    queue,
    job: jobAt,
    ended,
    /** Queues a job and waits for its end. */
    done: async (body: unknown, headers?: Readonly<Record<string, string>>): Promise<Job> => {
      const queued = await queue(body, headers)
      expect(queued.status).toBe(200)
      return ended(bodyOf(queued)['job_id'])
    },
    cancel: (id: unknown): Promise<TestAnswer> =>
      request('PUT', `/v1/admin/jobs/${String(id)}/cancellation`, { token }),
  }
}

/**
 * What an administrator did, without reads, oldest first: but the queueing before what the jobs did. A job may begin before the entry
 * of who queued it is recorded.
 */
export async function recordedOf(
  guildhall: Pick<TestGuildhall, 'store'>,
  { id }: Pick<TestAccount, 'id'>,
): Promise<readonly RecordedEntry[]> {
  const own = (await auditEntries(guildhall)).filter(
    ({ adminId, action }) => adminId === id && !action.startsWith('get_'),
  )
  const turnOf = ({ action }: RecordedEntry): number => (action === 'queue_bulk_job' ? 0 : 1)
  return own.toSorted((one, other) => turnOf(one) - turnOf(other))
}
