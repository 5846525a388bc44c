import { describe, expect, it } from 'vitest'
import { freshPolicy } from '../../../domain/instance/fresh-policy.ts'
import { allOperations } from '../../../adapters/http/operations/all-operations.ts'
import { actsOnAccounts, type TakingAct } from '../../../domain/admin/acts-on-accounts.ts'
import { accountFlags } from '../../../domain/account/flags.ts'
import { adminKeyOf, administrator, auditEntries, giveAcls } from '../../support/administrators.ts'
import type { TestAccount, TestAnswer } from '../../support/test-guildhall.ts'
import { bodyOf, expectRefusal } from '../support/answers.ts'
import { bulkJobsOn } from '../support/bulk-jobs.ts'
import { credentials, enrol } from '../support/passkeys.ts'
import { openServer } from '../support/scene.ts'

/** What an administrator may do to an account with more ACLs, and to the own account. */

const byEmail = await openServer({
  policy: { ...freshPolicy, registration: { ...freshPolicy.registration, urlsEnabled: true } },
})
const byUsername = await openServer('usernames')
const disabled = accountFlags.DISABLED.toString()

type Id = Pick<TestAccount, 'id'>

interface Act {
  /** Has the act done to the account; gives the answer, or that of a bulk job's item. */
  readonly done: (by: string, target: TestAccount) => Promise<TestAnswer>
  /** An account that the act can be done to. */
  readonly target?: () => Promise<TestAccount>
  readonly guildhall?: typeof byEmail
}

const request =
  (method: string, path: string, body?: unknown, guildhall = byEmail): Act['done'] =>
  (token, { id }) =>
    guildhall.request(method, `/v1/admin/${path.replace(':user_id', id)}`, { token, ...(body ? { body } : {}) })

/** Queues a bulk job for the account, and answers as the item came out. */
const item =
  (act: object): Act['done'] =>
  async (token, { id }) => {
    const root = await administrator(byEmail, '*')
    const asked = await byEmail.request('POST', '/v1/admin/bulk-jobs', { token, body: { ...act, user_ids: [id] } })
    const { result } = await bulkJobsOn(byEmail, root).ended(bodyOf(asked)['job_id'])
    const [{ code } = { code: 'none' }] = (result as { readonly items: readonly { readonly code: string | null }[] })
      .items
    return code === null ? { ...asked, status: 200 } : { ...asked, status: 403, body: { code, message: '' } }
  }

async function waiting(): Promise<TestAccount> {
  const root = await administrator(byEmail, '*')
  const made = await byEmail.request('POST', '/v1/admin/instance/registration-urls', {
    token: root.token,
    body: { approval_required: true },
  })
  const email = `waits-${root.id}@example.com`
  const body = { email, username: 'ada', password: 'a fine password', registration_url_code: bodyOf(made)['code'] }
  const dated = { ...body, date_of_birth: '1990-12-10' }
  const { user_id: id } = bodyOf(await byEmail.request('POST', '/v1/auth/register', { body: dated }))
  return { ...root, id: String(id), email }
}

/** By account. */
const passkeys = new Map<string, string>()

async function withPasskey(): Promise<TestAccount> {
  const account = await byEmail.register()
  await enrol(byEmail, account)
  const listed = await byEmail.request('GET', credentials, { token: account.token })
  const [{ id } = { id: '' }] = listed.body as readonly { readonly id: string }[]
  passkeys.set(account.id, id)
  return account
}

const deletePasskey: Act['done'] = (token, target) =>
  request('DELETE', `users/:user_id/webauthn-credentials/${passkeys.get(target.id)}`)(token, target)

/** How each act is done. */
const acts: Readonly<Record<TakingAct, Act>> = {
  'Set user ACLs': { done: request('PUT', 'users/:user_id/acls', { acls: [] }) },
  'Update user flags': { done: request('PATCH', 'users/:user_id/flags', { add_flags: ['2'] }) },
  'Queue bulk job: update_user_flags': { done: item({ task: 'update_user_flags', add_flags: ['2'] }) },
  'Ban user': { done: request('PUT', 'users/:user_id/ban', { duration_hours: 1 }) },
  'Update pending registration': {
    done: request('PATCH', 'instance/pending-registrations/:user_id', { status: 'rejected' }),
    target: waiting,
  },
  'Schedule user deletion': { done: request('PUT', 'users/:user_id/deletion', { reason_code: 2, days: 60 }) },
  'Queue bulk job: schedule_user_deletion': {
    done: item({ task: 'schedule_user_deletion', reason_code: 2, days: 60 }),
  },
  'Terminate user sessions': { done: request('DELETE', 'users/:user_id/sessions') },
  'Disable user MFA': { done: request('DELETE', 'users/:user_id/mfa') },
  'Delete user WebAuthn credential': { done: deletePasskey, target: withPasskey },
  'Change user username': { done: request('PATCH', 'users/:user_id/username', { username: 'renamed' }) },
  'Change user email': {
    done: (token, target) =>
      request('PATCH', 'users/:user_id/email', { email: `new-${target.id}@example.com` })(token, target),
  },
  'Verify user email': { done: request('PUT', 'users/:user_id/email-verification') },
  'Resend verification email': { done: request('POST', 'users/:user_id/verification-email') },
  'Send password reset': { done: request('POST', 'users/:user_id/password-reset') },
  'Create password reset link': {
    done: request('POST', 'users/:user_id/password-reset-link', undefined, byUsername),
    guildhall: byUsername,
  },
  'Delete recovery kit': {
    done: request('DELETE', 'users/:user_id/recovery-kit', undefined, byUsername),
    guildhall: byUsername,
  },
}

const everyAct = Object.entries(acts).map(([name, act]) => ({ name: name as TakingAct, guildhall: byEmail, ...act }))
const limited = everyAct.filter(({ name }) => actsOnAccounts[name].reaches !== 'everybody')
const unlimited = everyAct.filter(({ name }) => actsOnAccounts[name].reaches === 'everybody')

const targetOf = ({ target, guildhall }: Pick<Act, 'target'> & Required<Pick<Act, 'guildhall'>>) =>
  target ? target() : guildhall.register()

/** The events of an account and the entries about it. */
async function written(guildhall: typeof byEmail, { id }: Id): Promise<readonly unknown[]> {
  const found: unknown[] = (await auditEntries(guildhall)).filter(({ targetId }) => targetId === id)
  for await (const page of guildhall.store.events.readStream(`account-${id}`, -1)) found.push(...page)
  return found
}

describe('the table of acts on accounts', () => {
  it('has every operation that changes an account and belongs to administrators, with its ACL', () => {
    // What is done to a membership is done to its guild.
    const changing = allOperations.filter(
      ({ callers, method, path }) =>
        callers.kind === 'admin' && method !== 'GET' && /^(?!.*\/guilds\/).*\/:user_id/.test(path),
    )
    const named = Object.keys(actsOnAccounts).filter((name) => !name.startsWith('Queue bulk job: '))
    expect(named.toSorted()).toStrictEqual(changing.map(({ name }) => name).toSorted())
    for (const { name, callers } of changing) {
      const act = actsOnAccounts[name as keyof typeof actsOnAccounts]
      if (act) expect(callers).toMatchObject({ acls: [act.acl] })
    }
  })
})

describe.each(limited)('$name', ({ name, done, guildhall, target }) => {
  const { acl } = actsOnAccounts[name]

  it('is refused to whoever lacks an ACL of the account, and leaves nothing behind', async () => {
    const [senior, junior] = [
      await targetOf({ guildhall, ...(target && { target }) }),
      await administrator(guildhall, 'admin:authenticate', acl),
    ]
    await giveAcls(guildhall, senior, ['admin:authenticate', 'user:lookup'])
    const before = await written(guildhall, senior)
    expectRefusal(await done(junior.token, senior), 403, 'MISSING_ACL')
    expect(await written(guildhall, senior)).toStrictEqual(before)
  })

  it('is done by whoever holds every ACL of the account, and by everybody with its ACL to others', async () => {
    const [equal, other] = [
      await targetOf({ guildhall, ...(target && { target }) }),
      await targetOf({ guildhall, ...(target && { target }) }),
    ]
    const { token } = await administrator(guildhall, 'admin:authenticate', acl, 'user:lookup')
    await giveAcls(guildhall, equal, ['admin:authenticate', 'user:lookup'])
    expect((await done(token, equal)).status).toBeLessThan(300)
    expect((await done(token, other)).status).toBeLessThan(300)
  })

  it('asks the ACLs of an Admin key as well as its owner’s', async () => {
    const senior = await targetOf({ guildhall, ...(target && { target }) })
    await giveAcls(guildhall, senior, ['user:lookup'])
    const narrow = await adminKeyOf(guildhall, await administrator(guildhall, '*'), 'admin:authenticate', acl)
    expectRefusal(await done(narrow, senior), 403, 'MISSING_ACL')
    const wide = await adminKeyOf(guildhall, await administrator(guildhall, '*'), 'user:lookup', acl)
    expect((await done(wide, senior)).status).toBeLessThan(300)
  })
})

describe.each(unlimited)('$name', ({ name, done }) => {
  it('is done to accounts with more ACLs and to the own account, as the contract says', async () => {
    await administrator(byEmail, '*')
    const [senior, junior] = [
      await administrator(byEmail, '*'),
      await administrator(byEmail, 'admin:authenticate', actsOnAccounts[name].acl),
    ]
    expect((await done(junior.token, senior)).status).toBe(200)
    expect((await done(junior.token, junior)).status).toBe(200)
  })
})

describe('an administrator', () => {
  it('cannot ban or close the own account, whatever its ACLs', async () => {
    const root = await administrator(byEmail, '*')
    const key = await adminKeyOf(byEmail, root, 'user:temp_ban')
    const before = await written(byEmail, root)
    const closing = { add_flags: [disabled] }
    for (const refused of [
      await request('PUT', 'users/:user_id/ban', { duration_hours: 1 })(root.token, root),
      await request('PUT', 'users/:user_id/ban', { duration_hours: 0 })(key, root),
      await request('PATCH', 'users/:user_id/flags', closing)(root.token, root),
      await item({ task: 'update_user_flags', ...closing })(root.token, root),
    ])
      expectRefusal(refused, 403, 'ACCESS_DENIED')
    expect(await written(byEmail, root)).toStrictEqual(before)
    expect((await acts['Update user flags'].done(root.token, root)).status).toBe(200)
  })

  it('hears that an account does not exist before anything about ACLs', async () => {
    const { token } = await administrator(byEmail, 'admin:authenticate', 'user:temp_ban')
    expectRefusal(await acts['Ban user'].done(token, { ...(await byEmail.register()), id: '1' }), 404, 'UNKNOWN_USER')
  })

  it('sees in a dry run what the bulk job would refuse', async () => {
    const [root, junior] = [
      await administrator(byEmail, '*'),
      await administrator(byEmail, 'admin:authenticate', 'bulk:update:user_flags'),
    ]
    const dry = item({ task: 'update_user_flags', add_flags: ['2'], dry_run: true })
    expectRefusal(await dry(junior.token, root), 403, 'MISSING_ACL')
    expect((await dry(junior.token, await byEmail.register())).status).toBe(200)
  })
})
