import { administrator, auditEntries, type RecordedEntry } from '../../../support/administrators.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../../support/test-guildhall.ts'

/** Nobody has founded this guild. */
export const unknownGuild = '1'

/** Reads of guilds as an administrator, who holds every ACL unless said otherwise. */
export async function guildReadsOn(guildhall: TestGuildhall) {
  const root = await administrator(guildhall, '*')
  return {
    root,
    /** Below `/v1/admin/guilds`. */
    read: (below: string, { token }: Pick<TestAccount, 'token'> = root): Promise<TestAnswer> =>
      guildhall.request('GET', `/v1/admin/guilds${below}`, { token }),
    /** What was recorded last of this administrator. */
    lastEntry: async ({ id }: Pick<TestAccount, 'id'> = root): Promise<RecordedEntry | undefined> =>
      (await auditEntries(guildhall)).filter(({ adminId }) => adminId === id).at(-1),
  }
}
