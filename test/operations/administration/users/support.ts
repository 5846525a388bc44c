import { auditEntries, type RecordedEntry } from '../../../support/administrators.js'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../../support/test-guildhall.js'

type Id = Pick<TestAccount, 'id'>

/** What an administrator reads of accounts. */
export function userReadsOf({ request }: Pick<TestGuildhall, 'request'>, { token }: Pick<TestAccount, 'token'>) {
  return {
    user: (id: string) => request('GET', `/v1/admin/users/${id}`, { token }),
    below: ({ id }: Id, below: string): Promise<TestAnswer> =>
      request('GET', `/v1/admin/users/${id}/${below}`, { token }),
  }
}

/** The entries of the admin audit log about an account, oldest first. */
export async function entriesAbout(guildhall: TestGuildhall, { id }: Id): Promise<readonly RecordedEntry[]> {
  return (await auditEntries(guildhall)).filter(({ targetId }) => targetId === id)
}
