import { accountId, type AccountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { administrator, auditEntries, type RecordedEntry } from '../../../support/administrators.ts'
import { testContext } from '../../../support/test-context.ts'
import { testRequester } from '../../../support/test-requester.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../../support/test-guildhall.ts'

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

/** Nobody has this id. */
export const unknownUser = '1'

export function idOf({ id }: Pick<TestAccount, 'id'>): AccountId {
  return accountId(snowflake(id))
}

/** Sends requests about users, as an administrator who holds every ACL unless said otherwise. */
export async function correctionsOn(guildhall: TestGuildhall) {
  const root = await administrator(guildhall, '*')
  return {
    root,
    ask: (method: string, id: string, resource: string, body?: unknown, token = root.token): Promise<TestAnswer> =>
      guildhall.request(method, `/v1/admin/users/${id}/${resource}`, {
        token,
        ...(body === undefined ? {} : { body }),
      }),
    /** The newest entry of the audit log. */
    lastEntry: async (): Promise<RecordedEntry | undefined> => (await auditEntries(guildhall)).at(-1),
    /** How many entries there are. */
    entryCount: async (): Promise<number> => (await auditEntries(guildhall)).length,
  }
}

/** Registers a bot that has an address, as an account has that was made a bot. */
export async function botWithAddress({ ports, readModels }: TestGuildhall, email: string): Promise<string> {
  const { context } = testRequester()
  const id = accountId(context.newId())
  const name = { username: `bot_${id}`, discriminator: 1, globalName: null }
  const person = { email, passwordHash: null, dateOfBirth: null, emailVerified: false, locale: 'en-US' }
  const command = {
    type: 'RegisterAccount',
    accountId: id,
    ...name,
    ...person,
    botOwnerId: id,
    now: context.now,
  } as const
  await ports.aggregates.account.execute(id, command, context)
  await readModels.reached(context.written)
  return id
}

/** A mail server has rejected the account's address for good. */
export async function bounce({ ports, readModels }: TestGuildhall, account: TestAccount): Promise<void> {
  const context = testContext()
  const command = { type: 'MarkEmailAddressBounced', email: account.email, now: context.now } as const
  await ports.aggregates.account.execute(idOf(account), command, context)
  await readModels.reached(context.written)
}

/** Schedules and cancels deletions as an administrator who holds every ACL unless said otherwise. */
export function deletionsBy(
  { request }: Pick<TestGuildhall, 'request'>,
  { token: rootToken }: Pick<TestAccount, 'token'>,
) {
  const path = ({ id }: Id) => `/v1/admin/users/${id}/deletion`
  const cancel = (account: Id, body: unknown, token = rootToken, headers = {}): Promise<TestAnswer> =>
    request('DELETE', path(account), { token, body, headers })
  return {
    schedule: (account: Id, body: unknown, token = rootToken, headers = {}): Promise<TestAnswer> =>
      request('PUT', path(account), { token, body, headers }),
    cancel,
    /** Cancels the deletion that is due then. */
    cancelAt: (account: Id, dueAt: unknown) => cancel(account, { expected_pending_deletion_at: dueAt }),
  }
}
