import { describe, expect, it } from 'vitest'
import type { endingActs as everyAct } from '../../domain/account/decisions/end-access.ts'
import { accountFlags } from '../../domain/account/flags.ts'
import { bodyOf, expectRefusal, listOf } from '../operations/support/answers.ts'
import { beginSignIn, codeIn, exchangeCode, refreshConsole, signInToConsole } from '../operations/support/console.ts'
import { openPage, sendForm } from '../operations/support/pages.ts'
import { tokenIn } from '../operations/support/recovery.ts'
import { openProvider, openWith } from '../operations/support/single-sign-on.ts'
import { administrator } from '../support/administrators.ts'
import type { TestAccount, TestAnswer } from '../support/test-guildhall.ts'
import { endingActs } from './support/ending-acts.ts'

/** A sign-in to the console is a session: whatever ends sessions ends it, its codes, and the tokens that came from it. */

const provider = await openProvider()
const guildhall = await openWith(provider, {}, { withMailServer: true })
const { request } = guildhall
const root = await administrator(guildhall, '*')
const password = 'a new password'

/** What a sign-in has given so far: a code that is not exchanged yet, and tokens. */
async function signedIn(holder: TestAccount) {
  const { url, verifier } = beginSignIn(guildhall)
  const page = await sendForm(await openPage(url), { name: holder.email, password: holder.password })
  return { code: codeIn(page), verifier, tokens: await signInToConsole(guildhall, holder) }
}

const grantOf = (token: string) => request('GET', '/v1/oauth2/@me', { token })

async function expectOver({ code, verifier, tokens }: Awaited<ReturnType<typeof signedIn>>): Promise<void> {
  expectRefusal(await grantOf(tokens.token), 401, 'UNAUTHORIZED')
  const refreshed = await refreshConsole(guildhall, tokens)
  expectRefusal(refreshed, 401, 'UNAUTHORIZED')
  expect(refreshed.headers.get('set-cookie')).toContain('Max-Age=0')
  expectRefusal(await exchangeCode(guildhall, code, verifier), 401, 'UNAUTHORIZED')
}

const byHolder = (method: string, path: string, body: object) => (holder: TestAccount) =>
  request(method, path, { token: holder.token, body: { password: holder.password, ...body } })
const byAdministrator = (method: string, path: string, body?: object) => (holder: TestAccount) =>
  request(method, `/v1/admin/users/${holder.id}/${path}`, { token: root.token, ...(body && { body }) })

async function reset({ email }: TestAccount): Promise<TestAnswer> {
  await request('POST', '/v1/auth/forgot', { body: { email } })
  const token = tokenIn(await guildhall.mailTo(email, 2))
  return request('POST', '/v1/auth/reset', { body: { token, password } })
}

async function logOutAll({ token, password: proof }: TestAccount): Promise<TestAnswer> {
  const sessions = listOf(await request('GET', '/v1/auth/sessions', { token }))
  const body = { session_id_hashes: sessions.map(({ id_hash: hash }) => hash), password: proof }
  return request('POST', '/v1/auth/sessions/logout', { token, body })
}

/** Ways to carry out each act of the table. Three have a test of their own below, and erasure comes after a scheduled deletion. */
const acts: Readonly<
  Record<
    Exclude<keyof typeof everyAct, 'adopt' | 'erase' | 'signOutEverywhere' | 'takeBack'>,
    Readonly<Record<string, (holder: TestAccount) => Promise<TestAnswer>>>
  >
> = {
  endSessions: { 'logging out its session': logOutAll },
  newPassword: {
    'a new password': byHolder('PATCH', '/v1/users/@me', { new_password: password }),
    'a new password by a mailed link': reset,
  },
  terminate: { 'an administrator who terminates the sessions': byAdministrator('DELETE', 'sessions') },
  disable: { 'disabling the account': byHolder('POST', '/v1/users/@me/disable', {}) },
  scheduleSelfDeletion: { 'deleting the account': byHolder('POST', '/v1/users/@me/delete', {}) },
  close: {
    'a ban': byAdministrator('PUT', 'ban', { duration_hours: 1 }),
    'a flag that closes the account': byAdministrator('PATCH', 'flags', {
      add_flags: [accountFlags.DISABLED.toString()],
    }),
    'a deletion that an administrator schedules': byAdministrator('PUT', 'deletion', { reason_code: 1 }),
  },
  becomeBot: { 'becoming a bot': byAdministrator('PUT', 'bot-status', { bot: true }) },
}

describe('a sign-in to the console', () => {
  it.each(Object.values(acts).flatMap((ways) => Object.entries(ways)))('ends by %s', async (_, act) => {
    const holder = await guildhall.register()
    const console = await signedIn(holder)
    expect((await grantOf(console.tokens.token)).status).toBe(200)
    expect((await act(holder)).status).toBeLessThan(300)
    await expectOver(console)
  })

  it.each(endingActs(guildhall, provider))('ends by $name', async ({ register, act }) => {
    const holder = await register()
    const console = await signedIn(holder)
    await act(holder)
    await expectOver(console)
  })

  it('stays over once the account is open again', async () => {
    const holder = await guildhall.register()
    const console = await signedIn(holder)
    await byHolder('POST', '/v1/users/@me/disable', {})(holder)
    const { email, password: proof } = holder
    bodyOf(await request('POST', '/v1/auth/login', { body: { email, password: proof } }))
    await expectOver(console)
  })
})
