import { describe, expect, it } from 'vitest'
import { bodyOf, expectRefusal } from '../operations/support/answers.ts'
import { beginSignIn, codeIn, exchangeCode, refreshConsole, signInToConsole } from '../operations/support/console.ts'
import { openPage, sendForm } from '../operations/support/pages.ts'
import { openProvider, openWith } from '../operations/support/single-sign-on.ts'
import { administrator } from '../support/administrators.ts'
import type { TestAccount } from '../support/test-guildhall.ts'
import { endingActs } from './support/ending-acts.ts'
import { sessionActs, waysToEndSessions } from './support/session-acts.ts'

/** A sign-in to the console is a session: whatever ends sessions ends it, its codes, and the tokens that came from it. */

const provider = await openProvider()
const guildhall = await openWith(provider, {}, { withMailServer: true })
const { request } = guildhall
const root = await administrator(guildhall, '*')

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

describe('a sign-in to the console', () => {
  it.each(waysToEndSessions(guildhall, root))('ends by %s', async (_, act) => {
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
    await sessionActs(guildhall, root).disable['disabling the account'](holder)
    const { email, password: proof } = holder
    bodyOf(await request('POST', '/v1/auth/login', { body: { email, password: proof } }))
    await expectOver(console)
  })
})
