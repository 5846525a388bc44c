import { bodyOf } from '../../support/answers.ts'
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

/** Changes of guilds as an administrator, who holds every ACL unless said otherwise. */
export async function guildChangesOn(guildhall: TestGuildhall) {
  const { root, lastEntry } = await guildReadsOn(guildhall)
  return {
    root,
    lastEntry,
    /** Below `/v1/admin/guilds/`. */
    change: (
      method: 'PATCH' | 'PUT' | 'DELETE',
      below: string,
      body?: object,
      { token, ...headers }: Pick<TestAccount, 'token'> & { readonly reason?: string } = root,
    ): Promise<TestAnswer> =>
      guildhall.request(method, `/v1/admin/guilds/${below}`, {
        token,
        ...(body && { body }),
        ...(headers.reason !== undefined && { headers: { 'X-Audit-Log-Reason': headers.reason } }),
      }),
    /** The newest entry of the guild's own audit log, for a member who may read it. */
    async lastOwnEntry(guild: string, { token }: Pick<TestAccount, 'token'>) {
      const read = await guildhall.request('GET', `/v1/guilds/${guild}/audit-logs?limit=1`, { token })
      const { audit_log_entries: entries } = bodyOf(read)
      return (entries as readonly Readonly<Record<string, unknown>>[])[0]
    },
  }
}
