import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signOutEverywhere } from '../../application/identity/sessions/sign-out-everywhere.ts'
import { sessionTokenHash } from '../../application/identity/tokens/session-token.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { bodyOf, expectRefusal, listOf } from '../operations/support/answers.ts'
import { asBot } from '../operations/support/applications.ts'
import { connections } from '../operations/support/connected.ts'
import { codeFor, exchange, newClient, refresh, tokensFor } from '../operations/support/oauth2.ts'
import { openServer } from '../operations/support/scene.ts'
import { adminKeyOf, giveAcls } from '../support/administrators.ts'
import { backupCode, protect, sudoProofOf } from '../support/authenticator.ts'
import { testRequester } from '../support/test-requester.ts'
import { testContext } from '../support/test-context.ts'
import type { TestAccount, TestAnswer } from '../support/test-guildhall.ts'
import { expectEnded } from '../gateway/support/ended.ts'

/** One request puts everybody out who got in, wanted or not. */

const guildhall = await openServer()
const { connect, end } = connections()
let ada: TestAccount

beforeEach(async () => {
  ada = await guildhall.register()
})
afterEach(end)

const signOut = (account: TestAccount, proof: object = { password: account.password }): Promise<TestAnswer> =>
  guildhall.request('POST', '/v1/auth/sessions/logout-all', { token: account.token, body: proof })
const me = async (authorization: string): Promise<number> =>
  (await guildhall.request('GET', '/v1/users/@me', { token: authorization })).status

async function login({ email, password }: TestAccount): Promise<TestAccount> {
  const answer = await guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
  return { ...ada, token: String(bodyOf(answer)['token']) }
}

/** A device that waits to be signed in. */
async function waiting(): Promise<{ readonly code: string; readonly secret: string }> {
  const started = bodyOf(await guildhall.request('POST', '/v1/auth/handoff/initiate'))
  const code = String(started['code'])
  await guildhall.request('GET', `/v1/auth/handoff/${code}/info`)
  return { code, secret: String(started['poll_secret']) }
}
const complete = (code: string) =>
  guildhall.request('POST', '/v1/auth/handoff/complete', { token: ada.token, body: { code, user_id: ada.id } })
const poll = (code: string, secret: string) =>
  guildhall.request('POST', `/v1/auth/handoff/${code}/status`, { body: { poll_secret: secret } })

/** An access token of an application that the account authorised, and what asks whether it is valid. */
async function grantOf(account: TestAccount) {
  const application = await newClient(guildhall, await guildhall.register())
  const { access } = await tokensFor(guildhall, account, application)
  const userinfo = async (token: string): Promise<number> =>
    (await guildhall.request('GET', '/v1/oauth2/userinfo', { token: `Bearer ${token}` })).status
  return { access, userinfo }
}

describe('Sign out everywhere', () => {
  it("ends every session, including the caller's, and tells their connections", async () => {
    const phone = await login(ada)
    const eve = await guildhall.register()
    const [one, other, foreign] = [
      await connect(guildhall, ada),
      await connect(guildhall, phone),
      await connect(guildhall, eve),
    ]
    expect(await signOut(ada)).toMatchObject({ status: 204, body: undefined })
    for (const { client } of [one, other]) await expectEnded(client)
    for (const { token } of [ada, phone]) expect(await me(token)).toBe(401)
    expect(await me(eve.token)).toBe(200)
    foreign.client.send(1, null)
    await foreign.client.op(11)
    expect(
      listOf(await guildhall.request('GET', '/v1/auth/sessions', { token: (await login(ada)).token })),
    ).toHaveLength(1)
  })

  it('ends what applications may do for the account: their tokens, codes, and the consent itself', async () => {
    const application = await newClient(guildhall, await guildhall.register())
    const tokens = bodyOf(await exchange(guildhall, application, await codeFor(guildhall, ada, application)))
    const unused = await codeFor(guildhall, ada, application)
    const access = `Bearer ${String(tokens['access_token'])}`
    const userinfo = () => guildhall.request('GET', '/v1/oauth2/userinfo', { token: access })
    expect((await userinfo()).status).toBe(200)
    await signOut(ada)
    expect((await userinfo()).status).toBe(401)
    expect((await refresh(guildhall, application, String(tokens['refresh_token']))).status).toBe(400)
    expect((await exchange(guildhall, application, unused)).status).toBe(400)
    const { token } = await login(ada)
    expect(listOf(await guildhall.request('GET', '/v1/oauth2/@me/authorizations', { token }))).toEqual([])
  })

  it('ends the tokens of the account’s own bots, and nobody else’s', async () => {
    const [own, foreign] = [await newClient(guildhall, ada), await newClient(guildhall, await guildhall.register())]
    const bot = await connect(guildhall, { token: own.botToken })
    await signOut(ada)
    expect(await me(asBot(own))).toBe(401)
    expect(await me(asBot(foreign))).toBe(200)
    await bot.client.op(9)
    const { token } = await login(ada)
    const reset = await guildhall.request('POST', `/v1/oauth2/applications/${own.id}/bot/reset-token`, {
      token,
      body: { password: ada.password },
    })
    expect(await me(`Bot ${String(bodyOf(reset)['token'])}`)).toBe(200)
  })

  it('ends handoffs: nobody fetches an ended session, and no ended session signs a device in', async () => {
    const [done, late] = [await waiting(), await waiting()]
    expect((await complete(done.code)).status).toBe(204)
    await signOut(ada)
    expect(bodyOf(await poll(done.code, done.secret))).toStrictEqual({ status: 'expired' })
    expectRefusal(await complete(late.code), 401, 'INVALID_TOKEN')
    expect(bodyOf(await poll(late.code, late.secret))).toStrictEqual({ status: 'pending' })
  })

  it('lets no request in progress begin a session for a device', async () => {
    const { aggregates } = guildhall.ports
    const id = accountId(snowflake(ada.id))
    await signOut(ada)
    const late = { type: 'StartSession', tokenHash: 'late', ip: null, userAgent: null } as const
    const vouchedBy = sessionTokenHash(ada.token)
    const context = testContext()
    await expect(
      aggregates.account.execute(id, { ...late, vouchedBy, now: context.now }, context),
    ).rejects.toMatchObject({
      refusal: { code: 'INVALID_TOKEN' },
    })
  })

  it('is refused, and ends nothing, if a logout ended the session that asks', async () => {
    const { access, userinfo } = await grantOf(ada)
    const account = await guildhall.ports.queries.accounts.find(accountId(snowflake(ada.id)))
    if (!account) throw new Error('Ada is not there')
    const credential = { kind: 'session', tokenHash: sessionTokenHash(ada.token) } as const
    const late = { ...testRequester(), account, credential }
    expect((await guildhall.request('POST', '/v1/auth/logout', { token: ada.token })).status).toBe(204)
    await expect(signOutEverywhere(guildhall.ports)(late)).rejects.toMatchObject({ refusal: { code: 'UNAUTHORIZED' } })
    expect(await userinfo(access)).toBe(200)
  })

  it.each([1, 2, 3, 4])(
    'either ends everything or is refused, in a race with a logout of its session (%i)',
    async () => {
      const { access, userinfo } = await grantOf(ada)
      const [signedOut] = await Promise.all([
        signOut(ada),
        guildhall.request('POST', '/v1/auth/logout', { token: ada.token }),
      ])
      expect([204, 401]).toContain(signedOut.status)
      expect(await userinfo(access)).toBe(signedOut.status === 204 ? 401 : 200)
    },
  )

  it('ends Admin keys', async () => {
    await giveAcls(guildhall, ada, ['*'])
    const key = await adminKeyOf(guildhall, ada, '*')
    await signOut(ada)
    expectRefusal(await guildhall.request('GET', '/v1/admin/acls', { token: key }), 401, 'UNAUTHORIZED')
  })

  it('requires sudo mode, and does nothing without it', async () => {
    const phone = await login(ada)
    expectRefusal(await signOut(ada, {}), 403, 'SUDO_MODE_REQUIRED')
    expectRefusal(await signOut(ada, { password: 'not the password' }), 400, 'INVALID_FORM_BODY')
    for (const { token } of [ada, phone]) expect(await me(token)).toBe(200)
    const protectedAda = await protect(guildhall, ada)
    expectRefusal(await signOut(ada), 403, 'SUDO_MODE_REQUIRED')
    const proved = await signOut(ada, { mfa_method: 'totp', mfa_code: backupCode(protectedAda, 0) })
    expect(proved.status).toBe(204)
    expect(sudoProofOf(proved)).not.toBeNull()
  })

  it('is for sessions only', async () => {
    expectRefusal(await guildhall.request('POST', '/v1/auth/sessions/logout-all'), 401, 'UNAUTHORIZED')
    const application = await newClient(guildhall, ada)
    const asked = await guildhall.request('POST', '/v1/auth/sessions/logout-all', { token: asBot(application) })
    expectRefusal(asked, 403, 'ACCESS_DENIED')
    expect(await me(asBot(application))).toBe(200)
  })
})
