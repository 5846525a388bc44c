import { expect } from 'vitest'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf } from './answers.ts'

type Id = Pick<TestAccount, 'id'>
type Holder = Pick<TestAccount, 'token'>

/** The requests of an administrator about the messages of accounts. */
export function shredsOn({ request }: Pick<TestGuildhall, 'request'>, { token }: Holder) {
  const jobAt = (job: unknown) => request('GET', `/v1/admin/messages/shreds/${String(job)}`, { token })
  return {
    all: ({ id }: Id, query = ''): Promise<TestAnswer> =>
      request('DELETE', `/v1/admin/users/${id}/messages${query}`, { token }),
    shred: ({ id }: Id, entries: unknown): Promise<TestAnswer> =>
      request('POST', `/v1/admin/users/${id}/message-shreds`, { token, body: { entries } }),
    job: jobAt,
    /** Waits for the end of a job. */
    ended: async (job: unknown) => {
      await expect.poll(async () => bodyOf(await jobAt(job))['status']).not.toBe('in_progress')
      return bodyOf(await jobAt(job))
    },
    cancelDeletion: ({ id }: Id): Promise<TestAnswer> =>
      request('DELETE', `/v1/admin/users/${id}/message-deletion`, { token }),
  }
}

/** The messages of an author, in every channel. */
export async function writtenBy({ store }: Pick<TestGuildhall, 'store'>, { id }: Id) {
  const { rows } = await store.database.pool.query<{ readonly channel_id: string; readonly id: string }>(
    'select channel_id, id from messages.messages where author_id = $1 order by channel_id, id',
    [id],
  )
  return rows
}
