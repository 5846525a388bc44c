import { randomBytes } from 'node:crypto'
import { administrator, auditEntries, type RecordedEntry } from '../../../support/administrators.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../../support/test-guildhall.ts'
import { bodyOf } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

type Id = Pick<TestAccount, 'id'>
type Viewer = Pick<TestAccount, 'token'>
export type UsersQuery = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

/** Accounts as a list gives them: those of the page, and how many there are. */
export interface Listed {
  readonly ids: readonly string[]
  readonly total: unknown
}

/** All accounts of a list, on one page. */
export const only = (...accounts: readonly Id[]): Listed => ({
  ids: accounts.map(({ id }) => id),
  total: accounts.length,
})
export const nobody = only()

/** A name that no other test uses. */
export const freshName = (prefix = 'n'): string => `${prefix}${randomBytes(6).toString('hex')}`

/** Asks an own server for lists of users, as an administrator who holds every ACL unless said otherwise. */
export async function openUserLists() {
  // A test chooses the address of its requests.
  const guildhall = await openServer({ trustedProxies: ['127.0.0.1'] })
  const root = await administrator(guildhall, '*')
  const ask = (query: UsersQuery, viewer: Viewer = root) => askForUsers(guildhall, query, viewer)
  return {
    guildhall,
    root,
    /** Holds none of the ACLs by which an account's personal data is seen. */
    narrow: await administrator(guildhall, 'admin:authenticate', 'user:lookup'),
    ask,
    list: async (query: UsersQuery, viewer: Viewer = root): Promise<Listed> => {
      const { users, total } = bodyOf(await ask(query, viewer))
      return { ids: (users as readonly Id[]).map(({ id }) => id), total }
    },
    tagOf: async ({ token }: Viewer): Promise<string> => {
      const { username, discriminator } = bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))
      return `${String(username)}#${String(discriminator)}`
    },
    /** What was recorded last of an administrator. */
    lastEntryOf: async ({ id }: Id): Promise<RecordedEntry | undefined> =>
      (await auditEntries(guildhall)).filter(({ adminId }) => adminId === id).at(-1),
  }
}

export function askForUsers({ request }: TestGuildhall, query: UsersQuery, { token }: Viewer): Promise<TestAnswer> {
  const text = new URLSearchParams(query as Record<string, string>).toString()
  return request('GET', `/v1/admin/users?${text}`, { token })
}
