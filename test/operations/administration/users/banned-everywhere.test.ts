import { createHash, randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { resetPassword_s, resetPasswordTicket } from '../../../../application/identity/recovery/mailed-tokens.ts'
import { accountFlags } from '../../../../domain/account/flags.ts'
import { adminKeyOf, administrator } from '../../../support/administrators.ts'
import { protect } from '../../../support/authenticator.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../../support/test-guildhall.ts'
import { Client } from '../../../gateway/support/client.ts'
import { identifyOf } from '../../../gateway/support/facts.ts'
import { banOver } from '../../support/account-bans.ts'
import { bodyOf, expectRefusal } from '../../support/answers.ts'
import { asBot, newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { asBearer, codeFor, exchange, newClient, refresh, sendForm, provenBy, tokensFor } from '../../support/oauth2.ts'
import { authenticatorAt, enrol, requestOptions } from '../../support/passkeys.ts'
import { changeEmailAddress, tokenIn } from '../../support/recovery.ts'
import { openServer } from '../../support/scene.ts'
import { openProvider, openWith, signOn, somebody } from '../../support/single-sign-on.ts'
import { idOf } from './support.ts'
import { expectEnded, expectNoSession } from '../../../gateway/support/ended.ts'

/** Every way to a session or a token asks whether the account is banned (rules/credentials#who-may-have-a-session). */

const provider = await openProvider()
const plain = await openWith(provider)
const byUsername = await openServer('usernames')
const byMail = await openServer({
  policy: { ipAuthorization: true },
  withMailServer: true,
  trustedProxies: ['127.0.0.1'],
})
const { connect, end } = connections()
afterAll(end)

/** What came of an attempt: `in`, or the code of the refusal. */
type Outcome = string

/** An account, and something that gets into it or acts for it, prepared before the account is banned. */
interface Attempt {
  readonly account: { readonly id: string }
  readonly act: () => Promise<Outcome>
}

interface Way {
  readonly guildhall: TestGuildhall
  /** The outcome while the account is banned. */
  readonly refusal: Outcome
  readonly prepare: () => Promise<Attempt>
}

const outcomeOf = ({ status, body }: TestAnswer): Outcome => {
  if (status < 300) return 'in'
  const { code, error } = body as { readonly code?: string; readonly error?: string }
  return code ?? error ?? String(status)
}

const suspended = 'ACCOUNT_SUSPENDED_TEMPORARILY'
const newPassword = 'a new password'
const post = async (guildhall: TestGuildhall, path: string, body: unknown, headers = {}): Promise<Outcome> =>
  outcomeOf(await guildhall.request('POST', `/v1/auth/${path}`, { body, headers }))

/** A way that ends in a session. */
const signsIn = (prepare: Way['prepare'], guildhall = plain): Way => ({ guildhall, refusal: suspended, prepare })

/** A way that shows a credential with each request. */
const shows = (refusal: Outcome, prepare: Way['prepare']): Way => ({ guildhall: plain, refusal, prepare })

const me = async (token: string): Promise<Outcome> => outcomeOf(await plain.request('GET', '/v1/users/@me', { token }))

const credentialsOf = ({ email, password }: TestAccount) => ({ email, password })

async function assertionBy(authenticator: ReturnType<typeof authenticatorAt>) {
  const options = await requestOptions(plain, '/v1/auth/webauthn/authentication-options')
  return { response: authenticator.get(options), challenge: options.challenge }
}

async function identify(token: string): Promise<Outcome> {
  const client = new Client(`${plain.url.replace('http', 'ws')}/gateway?v=1`)
  await client.op(10)
  client.send(2, identifyOf({ token }))
  const ready = client.dispatch('READY').then(
    () => 'in',
    () => 'none',
  )
  const outcome = await Promise.race([ready, client.closed.then(({ code }) => String(code))])
  client.socket.terminate()
  return outcome
}

const ways: Readonly<Record<string, Way>> = {
  'a password': signsIn(async () => {
    const account = await plain.register()
    return { account, act: () => post(plain, 'login', credentialsOf(account)) }
  }),
  'a password, where a second factor is asked for': signsIn(async () => {
    const account = await protect(plain, await plain.register())
    return { account, act: () => post(plain, 'login', credentialsOf(account)) }
  }),
  'a second factor after the password': signsIn(async () => {
    const account = await protect(plain, await plain.register())
    const challenged = await plain.request('POST', '/v1/auth/login', { body: credentialsOf(account) })
    const { ticket } = bodyOf(challenged)
    return { account, act: () => post(plain, 'login/mfa/totp', { ticket, code: account.app.code() }) }
  }),
  'a passkey': signsIn(async () => {
    const account = await plain.register()
    const authenticator = await enrol(plain, account, authenticatorAt(plain))
    return { account, act: async () => post(plain, 'webauthn/authenticate', await assertionBy(authenticator)) }
  }),
  'the passkey bridge': signsIn(async () => {
    const account = await plain.register()
    const authenticator = await enrol(plain, account, authenticatorAt(plain))
    const code_verifier = randomBytes(32).toString('base64url')
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
    const body = { ...(await assertionBy(authenticator)), code_challenge }
    const { ticket } = bodyOf(await plain.request('POST', '/v1/auth/passkey-bridge/start', { body }))
    return { account, act: () => post(plain, 'passkey-bridge/redeem', { ticket, code_verifier }) }
  }),
  'single sign-on': signsIn(async () => {
    const person = somebody()
    const act = async (): Promise<TestAnswer> => {
      provider.person = person
      return signOn(plain)
    }
    const account = { id: String(bodyOf(await act())['user_id']) }
    return { account, act: async () => outcomeOf(await act()) }
  }),
  'single sign-on that adopts a known account': signsIn(async () => {
    const account = await plain.register()
    return {
      account,
      act: async () => {
        provider.person = somebody({ email: account.email })
        return outcomeOf(await signOn(plain))
      },
    }
  }),
  'a password reset': signsIn(async () => {
    const account = await plain.register()
    const payload = { accountId: idOf(account), addressHash: plain.ports.addressHash(account.email) }
    const token = await plain.ports.tickets.issue(resetPasswordTicket, payload, resetPassword_s, account.id)
    return { account, act: () => post(plain, 'reset', { token, password: newPassword }) }
  }),
  'taking back an address': signsIn(async () => {
    const account = await plain.register()
    const token = await changeEmailAddress(plain, account, `thief.${account.email}`)
    return { account, act: () => post(plain, 'email-revert', { token, password: newPassword }) }
  }),
  'a recovery kit': signsIn(async () => {
    const username = `kit_${randomBytes(6).toString('hex')}`
    const { password, token, id } = await byUsername.register(username)
    const made = await byUsername.request('POST', '/v1/users/@me/recovery-kit', { token, body: { password } })
    const { recovery_key } = bodyOf(made)
    return {
      account: { id },
      act: () => post(byUsername, 'recovery-kit', { username, recovery_key, password: newPassword }),
    }
  }, byUsername),
  'an address that a mail lets in': signsIn(async () => {
    const account = await byMail.register()
    const headers = { 'x-forwarded-for': '198.51.100.20' }
    await byMail.request('POST', '/v1/auth/login', { body: credentialsOf(account), headers })
    const token = tokenIn(await byMail.mailTo(account.email, 2))
    return { account, act: () => post(byMail, 'authorize-ip', { token }) }
  }, byMail),
  'a bot token': shows('UNAUTHORIZED', async () => {
    const bot = await newApplication(plain, await plain.register())
    return { account: bot, act: () => me(asBot(bot)) }
  }),
  'Identify with a bot token': shows('4004', async () => {
    const bot = await newApplication(plain, await plain.register())
    return { account: bot, act: () => identify(bot.botToken) }
  }),
  'an Admin key': shows('UNAUTHORIZED', async () => {
    const account = await administrator(plain, '*')
    const token = await adminKeyOf(plain, account, '*')
    return { account, act: async () => outcomeOf(await plain.request('GET', '/v1/admin/acls', { token })) }
  }),
  'an access token of an application': shows('UNAUTHORIZED', async () => {
    const account = await plain.register()
    const token = asBearer(await tokensFor(plain, account, await newClient(plain, await plain.register())))
    return { account, act: async () => outcomeOf(await plain.request('GET', '/v1/oauth2/userinfo', { token })) }
  }),
  'a refresh token of an application': shows('invalid_grant', async () => {
    const account = await plain.register()
    const client = await newClient(plain, await plain.register())
    const tokens = await tokensFor(plain, account, client)
    return { account, act: async () => outcomeOf(await refresh(plain, client, tokens.refresh)) }
  }),
  'a code of an application': shows('invalid_grant', async () => {
    const account = await plain.register()
    const client = await newClient(plain, await plain.register())
    const code = await codeFor(plain, account, client)
    return { account, act: async () => outcomeOf(await exchange(plain, client, code)) }
  }),
  'introspection of a token': shows('inactive', async () => {
    const account = await plain.register()
    const client = await newClient(plain, await plain.register())
    const { access } = await tokensFor(plain, account, client)
    const act = async (): Promise<Outcome> => {
      const answer = await sendForm(plain, 'introspect', { token: access, ...provenBy(client) })
      return bodyOf(answer)['active'] === true ? 'in' : 'inactive'
    }
    return { account, act }
  }),
}

const rows = Object.entries(ways)
const roots = new Map<TestGuildhall, TestAccount>()
for (const guildhall of [plain, byUsername, byMail]) roots.set(guildhall, await administrator(guildhall, '*'))

async function admin(guildhall: TestGuildhall, method: string, id: string, path: string, body?: object) {
  const token = roots.get(guildhall)?.token ?? ''
  return bodyOf(await guildhall.request(method, `/v1/admin/users/${id}${path}`, { token, ...(body && { body }) }))
}

const standing = async ({ ports }: TestGuildhall, account: { readonly id: string }) => {
  const record = await ports.queries.accounts.find(idOf(account))
  return { flags: record?.flags, bannedUntil: record?.bannedUntil }
}

describe('every way to a session or token', () => {
  it.each(rows)('%s: leads nowhere while the account is banned for a time', async (_, way) => {
    const { account, act } = await way.prepare()
    await admin(way.guildhall, 'PUT', account.id, '/ban', { duration_hours: 1 })
    expect(await act()).toBe(way.refusal)
  })

  it.each(rows)('%s: leads nowhere while it is banned permanently, also without the flag', async (_, way) => {
    const { account, act } = await way.prepare()
    await admin(way.guildhall, 'PUT', account.id, '/ban', { duration_hours: 0 })
    await admin(way.guildhall, 'PATCH', account.id, '/flags', { remove_flags: [accountFlags.DISABLED.toString()] })
    expect(await act()).toBe(way.refusal)
  })

  it.each(rows)('%s: works once the ban is over, and clears it', async (_, way) => {
    const { account, act } = await way.prepare()
    await banOver(way.guildhall, account)
    expect(await standing(way.guildhall, account)).not.toMatchObject({ flags: '0' })
    expect(await act()).toBe('in')
    expect(await standing(way.guildhall, account)).toStrictEqual({ flags: '0', bannedUntil: null })
  })

  it.each(rows)('%s: works again once the ban is lifted', async (_, way) => {
    const { account, act } = await way.prepare()
    await admin(way.guildhall, 'PUT', account.id, '/ban', { duration_hours: 1 })
    await admin(way.guildhall, 'DELETE', account.id, '/ban')
    expect(await act()).toBe('in')
  })
})

describe('a banned account', () => {
  it('can vouch for no other device: its session is over', async () => {
    const account = await plain.register()
    const { code } = bodyOf(await plain.request('POST', '/v1/auth/handoff/initiate'))
    bodyOf(await plain.request('GET', `/v1/auth/handoff/${String(code)}/info`))
    await admin(plain, 'PUT', account.id, '/ban', { duration_hours: 1 })
    const body = { code, user_id: account.id }
    const complete = (more: object, token?: string) =>
      plain.request('POST', '/v1/auth/handoff/complete', { body: { ...body, ...more }, ...(token && { token }) })
    expectRefusal(await complete({}, account.token), 401, 'INVALID_TOKEN')
    expectRefusal(await complete({ token: account.token }), 401, 'INVALID_TOKEN')
  })

  it('cannot resume, and its bot neither', async () => {
    const account = await plain.register()
    const bot = await newApplication(plain, await plain.register())
    for (const { id, token } of [account, { id: bot.id, token: bot.botToken }]) {
      const { client } = await connect(plain, { token })
      const { sessionId, sequence } = client
      await admin(plain, 'PUT', id, '/ban', { duration_hours: 1 })
      await expectEnded(client)
      const back = new Client(`${plain.url.replace('http', 'ws')}/gateway?v=1`)
      await back.op(10)
      back.send(6, { token, session_id: sessionId, seq: sequence })
      expect(await back.op(9)).toStrictEqual({ op: 9, d: false })
      back.send(2, identifyOf({ token }))
      expect(await back.closed).toStrictEqual({ code: 4004, reason: 'Invalid token' })
    }
  })

  it('leaves no bot connected, however many Identifies there are at the same moment', async () => {
    const { id, botToken: token } = await newApplication(plain, await plain.register())
    const clients = Array.from({ length: 16 }, () => new Client(`${plain.url.replace('http', 'ws')}/gateway?v=1`))
    await Promise.all(clients.map((client) => client.op(10)))
    for (const client of clients) client.send(2, identifyOf({ token }))
    await admin(plain, 'PUT', id, '/ban', { duration_hours: 1 })
    for (const client of clients) await expectNoSession(client)
  })

  it('keeps the token of its reset, which works once the ban is lifted', async () => {
    const account = await plain.register()
    const payload = { accountId: idOf(account), addressHash: plain.ports.addressHash(account.email) }
    const token = await plain.ports.tickets.issue(resetPasswordTicket, payload, resetPassword_s, account.id)
    await admin(plain, 'PUT', account.id, '/ban', { duration_hours: 1 })
    expect(await post(plain, 'reset', { token, password: newPassword })).toBe(suspended)
    await admin(plain, 'DELETE', account.id, '/ban')
    expect(await post(plain, 'reset', { token, password: newPassword })).toBe('in')
  })
})
