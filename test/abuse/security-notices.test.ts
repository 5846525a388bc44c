import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openOutbox } from '../../adapters/mail/outbox.ts'
import { sessionTokenHash } from '../../application/identity/tokens/session-token.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import type { Client } from '../gateway/support/client.ts'
import { bodyOf } from '../operations/support/answers.ts'
import { newApplication } from '../operations/support/applications.ts'
import { connections } from '../operations/support/connected.ts'
import { authenticatorAt, creationOptions, register } from '../operations/support/passkeys.ts'
import { openServer } from '../operations/support/scene.ts'
import { giveAcls } from '../support/administrators.ts'
import { backupCode, protect } from '../support/authenticator.ts'
import type { TestAccount, TestMail } from '../support/test-guildhall.ts'

/** The owner of an account learns when somebody else gets into it or changes how to get in. */

const guildhall = await openServer('proxied')
const { connect, end } = connections()
const home = { 'x-forwarded-for': '198.51.100.7' }
const safari = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15'
let ada: TestAccount
let client: Client

beforeEach(async () => {
  ada = await guildhall.register()
  client = (await connect(guildhall, ada)).client
})
afterEach(end)

const login = ({ email, password }: TestAccount, headers: Readonly<Record<string, string>>) =>
  guildhall.request('POST', '/v1/auth/login', { body: { email, password }, headers })

const notices = ({ dispatches }: Client) => dispatches.filter(({ t }) => t === 'AUTH_SECURITY_NOTICE').map(({ d }) => d)

/** Waits until the client has heard everything that happened before. */
async function heard(): Promise<void> {
  await guildhall.request('PATCH', '/v1/users/@me', { token: ada.token, body: { bio: `${Math.random()}` } })
  await client.dispatch('USER_UPDATE')
}

async function mails(): Promise<readonly TestMail[]> {
  const outbox = openOutbox(guildhall.store.database, guildhall.store.personalDataKey)
  return (await outbox.shown()).filter(({ to }) => to === ada.email).toReversed()
}

const nothing = { session_id_hash: null, credential_id: null, key_id: null, at: expect.stringMatching(/Z$/) }

describe('a sign-in from a network that the account has not signed in from', () => {
  it('is announced to its other sessions and by mail, with its origin', async () => {
    const answer = await login(ada, { ...home, 'user-agent': safari })
    const { token } = bodyOf(answer)
    expect((await client.dispatch('AUTH_SECURITY_NOTICE')).d).toStrictEqual({
      ...nothing,
      kind: 'new_sign_in',
      session_id_hash: sessionTokenHash(String(token)),
    })
    const [mail, ...others] = await mails()
    expect(others).toStrictEqual([])
    expect(mail?.subject).toBe('A sign-in to guildhall from a new network')
    expect(mail?.text).toContain('198.51.100.7')
    expect(mail?.text).toContain(safari)
  })

  it('is not announced to the session that it begins', async () => {
    const { token } = bodyOf(await login(ada, home))
    const own = (await connect(guildhall, { token: String(token) })).client
    await client.dispatch('AUTH_SECURITY_NOTICE')
    own.send(1, null)
    await own.op(11)
    expect(notices(own)).toStrictEqual([])
  })

  it('is announced once: then the network is known, with any address in a /64', async () => {
    for (const address of ['2001:db8:0:9::1', '2001:db8:0:9:1::2', '2001:db8:0:a::1'])
      await login(ada, { 'x-forwarded-for': address })
    await heard()
    expect(notices(client)).toHaveLength(2)
    expect(await mails()).toHaveLength(2)
  })

  it('is announced again after the account has forgotten its networks', async () => {
    await login(ada, home)
    const body = { password: ada.password }
    await guildhall.request('DELETE', '/v1/users/@me/authorized-ips', { token: ada.token, body })
    await login(ada, home)
    await heard()
    expect(notices(client)).toHaveLength(2)
  })

  it('is also announced if a second factor was required', async () => {
    const owner = await protect(guildhall, ada)
    for (const index of [0, 1]) {
      const { ticket } = bodyOf(await login(ada, home))
      const body = { ticket, code: backupCode(owner, index) }
      expect((await guildhall.request('POST', '/v1/auth/login/mfa/totp', { body, headers: home })).status).toBe(200)
    }
    await heard()
    expect(notices(client).map(({ kind }) => kind)).toStrictEqual(['totp_enabled', 'new_sign_in'])
  })

  it('is not announced for a known network, such as the one of the registration', async () => {
    // Test accounts are registered from here.
    await login(ada, {})
    await heard()
    expect(notices(client)).toStrictEqual([])
    expect(await mails()).toStrictEqual([])
    const registered = bodyOf(
      await guildhall.request('POST', '/v1/auth/register', {
        body: { email: 'new@example.com', password: 'a long password', date_of_birth: '1990-12-10', consent: true },
        headers: home,
      }),
    )
    const id = accountId(snowflake(String(registered['user_id'])))
    expect((await guildhall.ports.aggregates.account.load(id)).state).toMatchObject({
      latestSignIn: { fromUnknownNetwork: false },
      signInNetworks: ['198.51.100.7/32'],
    })
  })
})

describe('a change of the ways to get into an account', () => {
  const told = () => notices(client).at(-1)

  it('announces a new passkey by its id, and by mail with its name', async () => {
    const options = await creationOptions(guildhall, ada)
    const response = authenticatorAt(guildhall).create(options)
    const { id } = response as { readonly id: string }
    expect((await register(guildhall, ada, options, response, 'My “key”')).status).toBe(204)
    await heard()
    expect(told()).toStrictEqual({ ...nothing, kind: 'passkey_registered', credential_id: id })
    expect((await mails()).map(({ subject }) => subject)).toStrictEqual(['A new passkey for your guildhall account'])
    expect((await mails())[0]?.text).toContain('My “key”')
  })

  it('announces an authenticator that is added or removed, and new backup codes, once each', async () => {
    const owner = await protect(guildhall, ada)
    const codes = { regenerate: true, mfa_method: 'totp', mfa_code: backupCode(owner, 0) }
    const renewed = bodyOf(
      await guildhall.request('POST', '/v1/users/@me/mfa/backup-codes', { token: ada.token, body: codes }),
    )
    const [{ code }, { code: other }] = renewed['backup_codes'] as [{ code: string }, { code: string }]
    const disabled = await guildhall.request('POST', '/v1/users/@me/mfa/totp/disable', {
      token: ada.token,
      body: { code, mfa_method: 'totp', mfa_code: other },
    })
    expect(disabled.status).toBe(204)
    await heard()
    expect(notices(client).map(({ kind }) => kind)).toStrictEqual([
      'totp_enabled',
      'backup_codes_replaced',
      'totp_disabled',
    ])
    expect((await mails()).map(({ subject }) => subject)).toStrictEqual([
      'Your guildhall account now asks for an authenticator code',
      'New backup codes for your guildhall account',
      'Your guildhall account no longer asks for an authenticator code',
    ])
  })

  it('announces a new Admin key by its id, and by mail with its name', async () => {
    await giveAcls(guildhall, ada, ['*'])
    const body = { name: 'Backup', acls: [] }
    const made = bodyOf(await guildhall.request('POST', '/v1/admin/api-keys', { token: ada.token, body }))
    await heard()
    expect(told()).toStrictEqual({ ...nothing, kind: 'admin_key_created', key_id: made['key_id'] })
    const [mail] = await mails()
    expect(mail?.subject).toBe('A new Admin key for your guildhall account')
    expect(mail?.text).toContain('“Backup”')
    expect(mail?.text).not.toContain(String(made['key']))
  })

  it('is not announced to strangers or bots, or if it failed', async () => {
    const eve = await guildhall.register()
    const [stranger, bot] = [
      (await connect(guildhall, eve)).client,
      (await connect(guildhall, { token: (await newApplication(guildhall, ada)).botToken })).client,
    ]
    await guildhall.request('POST', '/v1/users/@me/mfa/totp/enable', {
      token: ada.token,
      body: { secret: 'A'.repeat(32), code: '000000', password: ada.password },
    })
    await protect(guildhall, ada)
    await bot.dispatch('USER_UPDATE')
    stranger.send(1, null)
    await stranger.op(11)
    await heard()
    expect(notices(client)).toHaveLength(1)
    for (const other of [stranger, bot]) expect(notices(other)).toStrictEqual([])
    expect(await mails()).toHaveLength(1)
  })
})
