import { beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../application/caller.ts'
import { signIn } from '../../application/identity/accounts/sign-in.ts'
import { startOwnSession } from '../../application/identity/accounts/start-own-session.ts'
import { changeOwnPassword } from '../../application/identity/own-account/change-own-password.ts'
import { deleteOwnAccount, disableOwnAccount } from '../../application/identity/own-account/leave-account.ts'
import { changeAddress } from '../../application/identity/own-account/ticketed/apply-email-change.ts'
import { createRecoveryKit } from '../../application/identity/recovery/recovery-kit.ts'
import type { Account } from '../../domain/account/state.ts'
import { field } from '../../domain/kernel/refusal.ts'
import { idOf } from '../operations/administration/users/support.ts'
import { bodyOf, expectFields, expectRefusal } from '../operations/support/answers.ts'
import { changeEmailAddress } from '../operations/support/recovery.ts'
import { openProvider, openWith, signOn, somebody, withPolicy } from '../operations/support/single-sign-on.ts'
import { startOpenIdProvider } from '../support/openid-provider.ts'
import { testRequester } from '../support/test-requester.ts'
import type { TestAccount, TestAnswer } from '../support/test-guildhall.ts'
import { callerOf } from '../support/caller-of.ts'

/**
 * Somebody else had an account: a thief, or the stranger who registered the address. Once its holder has it, nothing that signs in
 * is left with them; docs/what-ends-access.md.
 */

const provider = await openProvider()
const guildhall = await openWith(provider, {}, { withMailServer: true })
const { request, ports } = guildhall
const password = 'a new password'
beforeEach(() => {
  provider.person = somebody()
})

const post = (path: string, body: unknown): Promise<TestAnswer> => request('POST', `/v1/auth/${path}`, { body })
const takeBack = async (token: string): Promise<string> =>
  String(bodyOf(await post('email-revert', { token, password }))['token'])
const signsOn = async (): Promise<unknown> => bodyOf(await signOn(guildhall))['user_id']
const movedTo = (account: TestAccount, email: string): TestAccount => ({ ...account, email })

/** A thief moves the account to an address of their own, and links their own identity. Gives the holder's token. */
async function steal(holder: TestAccount, thief: ReturnType<typeof somebody>): Promise<string> {
  const token = await changeEmailAddress(guildhall, holder, thief.email)
  provider.person = thief
  expect(await signsOn()).toBe(holder.id)
  return token
}

describe('an identity at a provider', () => {
  it('that a thief linked signs in to the account no more once its address is taken back', async () => {
    const holder = await guildhall.register()
    const thief = somebody()
    await takeBack(await steal(holder, thief))
    expect(await signsOn()).not.toBe(holder.id)
    expect(await signsOn()).not.toBe(holder.id)
    provider.person = somebody({ email: holder.email })
    expect(await signsOn()).toBe(holder.id)
  })

  it('that a thief linked can be linked elsewhere from then on', async () => {
    const holder = await guildhall.register()
    const thief = somebody()
    await takeBack(await steal(holder, thief))
    const another = await guildhall.register()
    provider.person = { ...thief, email: another.email }
    expect(await signsOn()).toBe(another.id)
  })

  it('that its holder had linked before stays, also where the provider names another address by now', async () => {
    const holder = await guildhall.register()
    const own = somebody({ email: holder.email })
    provider.person = own
    expect(await signsOn()).toBe(holder.id)
    const token = await changeEmailAddress(guildhall, holder, `thief.${holder.email}`)
    await takeBack(token)
    provider.person = somebody({ sub: own.sub })
    expect(await signsOn()).toBe(holder.id)
  })

  it('falls with the first change that is taken back, also if it came after a second one', async () => {
    const holder = await guildhall.register()
    const [thief, second] = [somebody(), `second.${holder.email}`]
    const token = await changeEmailAddress(guildhall, holder, second)
    await changeEmailAddress(guildhall, movedTo(holder, second), thief.email)
    provider.person = thief
    expect(await signsOn()).toBe(holder.id)
    await takeBack(token)
    expect(await signsOn()).not.toBe(holder.id)
  })

  it('by which a stranger registered the address is nobody’s once another provider proves who holds it', async () => {
    const email = somebody().email
    const stranger = somebody({ email, email_verified: false })
    provider.person = stranger
    const registered = await signsOn()
    const other = await startOpenIdProvider()
    try {
      other.person = somebody({ email })
      const { issuer, clientId, clientSecret } = other
      await withPolicy(guildhall, { singleSignOn: { issuer, clientId, clientSecret } }, async () => {
        expect(await signsOn()).toBe(registered)
      })
    } finally {
      await other.close()
    }
    // The operator goes back to the earlier provider.
    expectFields(await signOn(guildhall), field('code', 'SSO_IDENTITY_MISMATCH'))
  })
})

/** What a thief's request was doing when the holder took the account back. */
const lateActs: readonly (readonly [string, (late: Caller, account: Account) => Promise<unknown>])[] = [
  ['new password', (late, account) => changeOwnPassword(ports, late, account, 'a thief was here')],
  [
    'other address',
    (late, account) => changeAddress(ports, late, account, `late.${account.email ?? ''}`, 'email_token'),
  ],
  ['recovery kit', (late) => createRecoveryKit(ports)(late)],
  ['disabled account', (late) => disableOwnAccount(ports)(late)],
  ['deletion', (late) => deleteOwnAccount(ports)(late)],
]

describe('a request of a thief that is still in progress', () => {
  it.each(lateActs)('leaves no %s', async (_, act) => {
    const holder = await guildhall.register()
    const late = await callerOf(guildhall, holder)
    const token = await changeEmailAddress(guildhall, holder, `thief.${holder.email}`)
    await takeBack(token)
    const { state } = await ports.aggregates.account.load(idOf(holder))
    if (state.status !== 'registered') throw new Error('The account is not there')
    await expect(act(late, state)).rejects.toMatchObject({ refusal: { code: 'UNAUTHORIZED' } })
    const { state: after } = await ports.aggregates.account.load(idOf(holder))
    expect(after).toStrictEqual(state)
    expect(bodyOf(await post('login', { email: holder.email, password }))).toHaveProperty('token')
  })
})

describe('a sign-in of a thief that is still in progress', () => {
  it('begins no session, though the password was right when it was checked', async () => {
    const holder = await guildhall.register()
    const token = await changeEmailAddress(guildhall, holder, `thief.${holder.email}`)
    const { state: checked } = await ports.aggregates.account.load(idOf(holder))
    if (checked.status !== 'registered') throw new Error('The account is not there')
    await takeBack(token)
    const { credentialVersion: provedUnder } = checked
    for (const late of [
      signIn(ports, testRequester(), idOf(holder), { provedUnder }),
      startOwnSession(ports, testRequester(), checked),
    ])
      await expect(late).rejects.toMatchObject({ refusal: { code: 'UNAUTHORIZED' } })
    const { state } = await ports.aggregates.account.load(idOf(holder))
    expect(state).toMatchObject({ sessions: { length: 1 } })
  })

  it('begins none by an identity that was linked when it was checked', async () => {
    const holder = await guildhall.register()
    const thief = somebody()
    const token = await steal(holder, thief)
    const { state: checked } = await ports.aggregates.account.load(idOf(holder))
    if (checked.status !== 'registered') throw new Error('The account is not there')
    await takeBack(token)
    const late = startOwnSession(ports, testRequester(), checked)
    await expect(late).rejects.toMatchObject({ refusal: { code: 'UNAUTHORIZED' } })
  })

  it('is told what a wrong password is told, in a race with the holder', async () => {
    const holder = await guildhall.register()
    const email = `thief.${holder.email}`
    const token = await changeEmailAddress(guildhall, holder, email)
    const credentials = { email, password: holder.password }
    const [taken, ...late] = await Promise.all([
      takeBack(token),
      ...Array.from({ length: 4 }, () => post('login', credentials)),
    ])
    for (const answer of late) {
      if (answer.status !== 200) expectRefusal(answer, 400, 'INVALID_FORM_BODY')
      else
        expectRefusal(
          await request('GET', '/v1/users/@me', { token: bodyOf(answer)['token'] as string }),
          401,
          'UNAUTHORIZED',
        )
    }
    expect((await request('GET', '/v1/users/@me', { token: taken })).status).toBe(200)
  })
})
