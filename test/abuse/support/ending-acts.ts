import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { bodyOf } from '../../operations/support/answers.ts'
import { changeEmailAddress } from '../../operations/support/recovery.ts'
import { signOn, somebody } from '../../operations/support/single-sign-on.ts'
import type { OpenIdProviderServer } from '../../support/openid-provider.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'

/** An act that ends everything that speaks for an account. */
export interface EndingAct {
  readonly name: string
  /** An account that the act can be done to. */
  readonly register: () => Promise<TestAccount>
  /** Does it, and gives the token of a new session. */
  readonly act: (holder: TestAccount) => Promise<string>
}

const password = 'a new password'

/** All of them, at a server that verifies addresses by mail and has a provider. docs/what-ends-access.md. */
export function endingActs(guildhall: TestGuildhall, provider: OpenIdProviderServer): readonly EndingAct[] {
  const post = (path: string, body: unknown, token?: string): Promise<TestAnswer> =>
    guildhall.request('POST', path, { body, ...(token === undefined ? {} : { token }) })

  /** Registered by a stranger, who has never proved the address. */
  async function unproved(): Promise<TestAccount> {
    const proof = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
    const body = { ...proof, username: 'stranger', date_of_birth: '1990-12-10' }
    const { token, user_id: id } = bodyOf(await post('/v1/auth/register', body))
    return { ...proof, token: String(token), id: String(id) }
  }

  async function takeBack(holder: TestAccount): Promise<string> {
    const token = await changeEmailAddress(guildhall, holder, `thief.${holder.email}`)
    return String(bodyOf(await post('/v1/auth/email-revert', { token, password }))['token'])
  }

  async function adopt({ email, id }: TestAccount): Promise<string> {
    provider.person = somebody({ email })
    const { token, user_id: adopted } = bodyOf(await signOn(guildhall))
    expect(adopted).toBe(id)
    return String(token)
  }

  async function signOutEverywhere({ token, password: proof, email }: TestAccount): Promise<string> {
    expect((await post('/v1/auth/sessions/logout-all', { password: proof }, token)).status).toBe(204)
    return String(bodyOf(await post('/v1/auth/login', { email, password: proof }))['token'])
  }

  return [
    { name: 'an address that is taken back', register: () => guildhall.register(), act: takeBack },
    { name: 'single sign-on that gives an account to the holder of its address', register: unproved, act: adopt },
    { name: 'signing out everywhere', register: () => guildhall.register(), act: signOutEverywhere },
  ]
}
