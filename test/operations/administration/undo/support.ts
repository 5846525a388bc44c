import { expect } from 'vitest'
import { accessOf } from '../../../../domain/admin-audit/access-of.ts'
import { auditEntries, type RecordedEntry } from '../../../support/administrators.ts'
import type { TestAccount, TestGuildhall } from '../../../support/test-guildhall.ts'

type Answer = Awaited<ReturnType<TestGuildhall['request']>>

/** What an administrator does on a server, and takes back. */
export interface Undoer {
  /** Sends a request that must succeed. */
  does(method: string, path: string, body?: unknown): Promise<Answer>
  /** The same; gives its entry. */
  acts(method: string, path: string, body?: unknown): Promise<RecordedEntry>
  /** The newest entry of an act that changes something. */
  newest(): Promise<RecordedEntry>
  undo(id: string, query?: string): Promise<Answer>
  /** Undoes what must be possible; gives the answer. */
  undoes(id: string): Promise<Answer>
  /** The newest event of a stream, by its id. */
  newestEvent(stream: `${string}-${string}`): Promise<string>
}

export function undoer(guildhall: TestGuildhall, { token }: Pick<TestAccount, 'token'>): Undoer {
  const ask = (method: string, path: string, body?: unknown) =>
    guildhall.request(method, path, { token, ...(body === undefined ? {} : { body }) })
  const undo = (id: string, query = '') => ask('POST', `/v1/admin/history/undo/${id}${query}`, {})
  const newest = async (): Promise<RecordedEntry> => {
    const entry = (await auditEntries(guildhall)).findLast(({ action }) => accessOf(action) === 'write')
    if (!entry) throw new Error('The log is empty')
    return entry
  }
  const does: Undoer['does'] = async (...asked) => {
    const answer = await ask(...asked)
    expect([answer.status, answer.body]).toEqual([answer.status < 300 ? answer.status : 200, answer.body])
    return answer
  }
  return {
    does,
    async acts(...asked) {
      await does(...asked)
      return newest()
    },
    newest,
    undo,
    async undoes(id) {
      const answer = await undo(id)
      expect([answer.status, answer.body]).toEqual([200, answer.body])
      return answer
    },
    async newestEvent(stream) {
      let id = ''
      for await (const page of guildhall.store.events.readStream(stream as 'instance-self', -1))
        for (const { metadata } of page) id = metadata.eventId
      return id
    },
  }
}
