import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { openLogger } from '../../adapters/telemetry/open-logger.ts'
import { sql } from '../../application/sql/sql.ts'
import { sessionTokenHash } from '../../application/identity/tokens/session-token.ts'
import { createRecoveryKit } from '../../application/identity/recovery/recovery-kit.ts'
import { createRegistrationUrl } from '../../application/identity/registrations/registration-urls.ts'
import { operatorContext } from '../../cli/commands/operator-context.ts'
import { snapshotEvery_events } from '../../application/aggregates/state-cache.ts'
import { accountId as accountIdOf } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { tokenIn } from '../operations/support/recovery.ts'
import { bodyOf } from '../operations/support/answers.ts'
import { asBot, newApplication } from '../operations/support/applications.ts'
import { openServer } from '../operations/support/scene.ts'
import { giveAcls } from '../support/administrators.ts'
import { protect } from '../support/authenticator.ts'
import { plantWebhook } from './support/planted-webhook.ts'
import { testContext } from '../support/test-context.ts'
import type { RequestOptions, TestAnswer } from '../support/test-guildhall.ts'
import { patience_ms } from '../support/pace.ts'

/**
 * Sends secrets in by ordinary requests, and looks for them wherever the server stores or shows anything: every table of every
 * schema, the logs and the bodies of refusals. The read model of accounts is the exception, because addresses and birth dates are
 * read from there; it contains none of the other secrets.
 */

const unique = randomBytes(6).toString('hex')
const planted = {
  password: `canary password ${unique}`,
  newPassword: `canary new password ${unique}`,
  email: `canary-${unique}@example.com`,
  dateOfBirth: '1967-08-09',
  userAgent: `canary-browser-${unique}`,
  ip: '203.0.113.177',
  otherIp: '198.51.100.188',
}
const readInAccounts: readonly string[] = ['email', 'date of birth', 'user agent', 'network address', 'other address']
/** What administrators search by, and the former addresses that they list. */
const searchedOrListed: ReadonlySet<string> = new Set(['account_search.accounts', 'user_change_log.field_values'])

/** The values that must not be found, by what they are. */
const secrets = new Map<string, string>()
const refusals: string[] = []
const logged: string[] = []

const destination = new Writable({
  write: (chunk, _encoding, done) => {
    logged.push(String(chunk))
    done()
  },
})
const guildhall = await openServer({
  withMailServer: true,
  logger: openLogger('trace', destination),
  policy: {
    ipAuthorization: true,
    registration: { mode: 'open', urlsEnabled: true, collectDateOfBirth: false },
  },
  trustedProxies: ['127.0.0.1'],
})
beforeAll(plant)

/** Sends a request; a refusal must not contain anything that was sent. */
async function send(method: string, path: string, options: RequestOptions = {}): Promise<TestAnswer> {
  const headers = { 'user-agent': planted.userAgent, 'x-forwarded-for': planted.ip, ...options.headers }
  const answer = await guildhall.request(method, path, { ...options, headers })
  if (answer.status >= 400) refusals.push(JSON.stringify(answer.body))
  return answer
}

const post = (path: string, body: unknown, options: RequestOptions = {}) =>
  send('POST', `/v1/${path}`, { body, ...options })

async function plant(): Promise<void> {
  const { password, newPassword, email, dateOfBirth } = planted
  const idempotent = { headers: { 'idempotency-key': `canary-key-${unique}` } }
  const registered = bodyOf(
    await post('auth/register', { email, password, date_of_birth: dateOfBirth, username: `u_${unique}` }, idempotent),
  )
  const account = { id: String(registered['user_id']), token: String(registered['token']), email, password }
  const verifying = tokenIn(await guildhall.mailTo(email, 1))
  await post('auth/verify/resend', undefined, { token: account.token })
  await guildhall.mailTo(email, 2)
  await post('auth/verify', { token: verifying })
  await post('auth/forgot', { email })
  const resetting = tokenIn(await guildhall.mailTo(email, 3))
  await guildhall.request('GET', '/v1/users/@me', { token: account.token })
  const application = await plantApplication(account)
  const [webhookToken, adminKey] = [await plantWebhook(send, account.token, unique), await plantAdminKey(account)]
  const { app, backupCodes } = await protect(guildhall, account)
  const { ticket: firstTicket } = bodyOf(await post('auth/login', { email, password }))
  const [firstCode = '', secondCode = '', ...otherCodes] = backupCodes
  const second = bodyOf(await post('auth/login/mfa/totp', { ticket: firstTicket, code: firstCode }))
  const { ticket: openTicket } = bodyOf(await post('auth/reset', { token: resetting, password: newPassword }))
  const third = bodyOf(await post('auth/login', { email, password: newPassword }))
  remember({
    'session token': account.token,
    'second session token': String(second['token']),
    'verification token': verifying,
    'reset token': resetting,
    'TOTP secret': app.secret,
    ...application,
    'Admin key': adminKey,
    'webhook token': webhookToken,
    'MFA ticket': String(openTicket),
    'spent MFA ticket': String(third['ticket']),
    'Idempotency-Key': idempotent.headers['idempotency-key'],
    ...Object.fromEntries(otherCodes.map((code, index) => [`backup code ${index}`, code])),
  })
  await signInFromElsewhere()
  await registerByLink()
  await beRefused(account.token, app.wrongCode())
  // A session to be searched for, and a mail server whose refusal is logged.
  await post('auth/login/mfa/totp', { ticket: third['ticket'], code: secondCode })
  guildhall.mailServer?.refuse('recipient', 451)
  await post('auth/forgot', { email })
  await vi.waitFor(() => expect(logged.join('')).toContain('a mail could not be sent'), { timeout: patience_ms })
  await makeSnapshot(account)
}

/** The secrets of an application, the first ones and those that replace them. */
async function plantApplication({ token }: { readonly token: string }): Promise<Readonly<Record<string, string>>> {
  const { password } = planted
  const first = await newApplication(guildhall, { token })
  const reset = (path: string) => {
    const headers = { 'idempotency-key': `canary ${path} ${unique}` }
    return post(`oauth2/applications/${first.id}/${path}`, { password }, { token, headers })
  }
  const botToken = String(bodyOf(await reset('bot/reset-token'))['token'])
  const clientSecret = String(bodyOf(await reset('client-secret/reset'))['client_secret'])
  await send('GET', '/v1/users/@me', { token: `Bot ${botToken}` })
  await send('GET', '/v1/users/@me', { token: asBot(first) })
  await send('GET', `/v1/oauth2/applications/${first.clientSecret}`, { token })
  return {
    'first bot token': first.botToken.slice(-43),
    'bot token': botToken.slice(-43),
    'first client secret': first.clientSecret,
    'client secret': clientSecret,
  }
}

/** The secret of an Admin key that was created, used, and refused with one letter changed. */
async function plantAdminKey(account: { readonly id: string; readonly token: string }): Promise<string> {
  await giveAcls(guildhall, account, ['admin:authenticate', 'admin_api_key:manage'])
  const headers = { 'idempotency-key': `canary admin key ${unique}` }
  const made = await post('admin/api-keys', { name: 'Key', acls: [] }, { token: account.token, headers })
  const key = String(bodyOf(made)['key'])
  await send('GET', '/v1/admin/acls', { token: `Admin ${key}` })
  await send('GET', '/v1/admin/acls', { token: key })
  await send('GET', `/v1/admin/api-keys/${key}`, { token: account.token })
  await giveAcls(guildhall, account, [])
  return key.slice(-32)
}

function remember(told: Readonly<Record<string, string>>): void {
  const { password, newPassword, email, dateOfBirth, userAgent, ip, otherIp } = planted
  const person = { password, 'new password': newPassword, email, 'date of birth': dateOfBirth }
  const known = { ...person, 'user agent': userAgent, 'network address': ip, 'other address': otherIp }
  for (const [name, value] of Object.entries({ ...known, ...told })) secrets.set(name, value)
}

/** Registers an account by a registration URL, which then saves a recovery kit. */
async function registerByLink(): Promise<void> {
  const { ports } = guildhall
  const context = operatorContext()
  const wishes = { label: null, expiresAt: null, maxUses: null, approvalRequired: false }
  const { code } = await createRegistrationUrl(ports)(context, wishes)
  await guildhall.readModels.reached(context.written)
  const { user_id: id, token } = bodyOf(await post('auth/register', { registration_url_code: code }))
  await post('auth/register', { registration_url_code: code, username: 'everyone' })
  const account = await ports.queries.accounts.find(accountIdOf(snowflake(String(id))))
  if (!account) throw new Error('Nobody has registered')
  const credential = { kind: 'session', tokenHash: sessionTokenHash(String(token)) } as const
  const { recovery_key: key } = await createRecoveryKit(ports)({ account, credential, context: testContext() })
  remember({ 'registration code': code, 'recovery key': key, 'recovery key in one': key.replaceAll('-', '') })
}

/** Signs another account in by a mail about a new address, and leaves another such mail unused. */
async function signInFromElsewhere(): Promise<void> {
  const credentials = { email: `elsewhere-${unique}@example.com`, password: `elsewhere ${unique}` }
  await post('auth/register', { ...credentials, date_of_birth: '1990-12-10', username: `e_${unique}` })
  await guildhall.mailTo(credentials.email, 1)
  // The refusal contains the ticket, which the waiting device needs.
  const headers = { 'x-forwarded-for': planted.otherIp, 'user-agent': planted.userAgent }
  const waiting = async (): Promise<string> => {
    const { body } = await guildhall.request('POST', '/v1/auth/login', { body: credentials, headers })
    return String((body as { readonly ticket: unknown }).ticket)
  }
  const ticket = await waiting()
  await post('auth/authorize-ip', { token: tokenIn(await guildhall.mailTo(credentials.email, 2)) })
  const polled = bodyOf(await send('GET', `/v1/auth/ip-authorization/poll?ticket=${ticket}`))
  const forgetting = { token: String(polled['token']), body: { password: credentials.password } }
  await send('DELETE', '/v1/users/@me/authorized-ips', forgetting)
  remember({
    'token of the waiting device': String(polled['token']),
    'fetched IP authorisation ticket': ticket,
    'IP authorisation ticket': await waiting(),
    'IP authorisation token': tokenIn(await guildhall.mailTo(credentials.email, 3)),
  })
}

/** Sends every secret in a request that fails. */
async function beRefused(token: string, wrongCode: string): Promise<void> {
  const { password, email } = planted
  const everything = Object.fromEntries(secrets)
  await post('auth/login', { email, password: `${password}!` })
  await post('auth/login', { email, password: { password }, ...everything })
  await post('auth/login', `{"email":"${email}","password":"${password}"`)
  await post('auth/register', { email, password, date_of_birth: '1967-08-09', username: email })
  await post('auth/reset', { token: secrets.get('reset token'), password })
  await post('auth/verify', { token: secrets.get('verification token') })
  await post('auth/email-revert', { token: secrets.get('reset token'), password })
  await post('auth/login/mfa/totp', { ticket: secrets.get('MFA ticket'), code: wrongCode })
  await post('auth/sessions/logout', { session_id_hashes: [], password }, { token })
  await send('GET', `/v1/auth/reset/${String(secrets.get('session token'))}`)
  await send('GET', `/v1/invites/${String(secrets.get('reset token'))}?token=${token}`)
  await send('GET', '/v1/users/@me', { token: `Bearer ${token}x` })
  await post('auth/authorize-ip', { token: secrets.get('IP authorisation ticket') })
  await post('auth/ip-authorization/resend', { ticket: secrets.get('IP authorisation ticket') })
  await send('GET', `/v1/auth/ip-authorization/poll?ticket=${String(secrets.get('IP authorisation token'))}`)
}

/** Changes the account until its state is snapshotted. */
async function makeSnapshot({ id }: { readonly id: string }): Promise<void> {
  const accountId = accountIdOf(snowflake(id))
  for (let times = 0; times < snapshotEvery_events; times += 1) {
    const change = { type: 'ChangeProfile', changes: { bio: `bio ${times}` } } as const
    await guildhall.ports.aggregates.account.execute(accountId, change, testContext({ kind: 'account', id: accountId }))
  }
  await vi.waitFor(async () => expect(await textOf('event_store.snapshots')).toContain(`account-${id}`), {
    timeout: patience_ms,
  })
}

const tableRow = z.object({ name: z.string() })

/** The tables of every schema except Postgres' own. */
async function tables(): Promise<readonly string[]> {
  const rows = await guildhall.store.database.any(sql.type(tableRow)`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`)
  return rows.map(({ name }) => name)
}

/** Every row of a table; bytes are in hexadecimal. */
async function textOf(table: string): Promise<string> {
  const { rows } = await guildhall.store.database.pool.query(`select each::text as line from ${table} each`)
  return rows.map(({ line }) => String(line)).join('\n')
}

/** The secrets that a text contains, plain, in hexadecimal or in base64. */
function secretsIn(text: string): readonly string[] {
  return [...secrets].flatMap(([name, secret]) => {
    const bytes = Buffer.from(secret)
    const forms = [secret, bytes.toString('hex'), bytes.toString('base64url').slice(0, -2)]
    return forms.some((form) => text.includes(form)) ? [name] : []
  })
}

describe('a secret that was sent to the server', () => {
  it('is planted: each secret is known, and readable values are read where they belong', async () => {
    expect([...secrets.values()].filter((secret) => secret.length < 8 || secret === 'undefined')).toStrictEqual([])
    expect(secretsIn(await textOf('accounts.accounts'))).toStrictEqual(['email', 'date of birth'])
    expect(secretsIn(await textOf('accounts.sessions'))).toStrictEqual([
      'user agent',
      'network address',
      'other address',
    ])
    expect(await textOf('event_store.events')).toContain(`u_${unique}`)
    for (const table of ['tickets.tickets', 'mail.outbox', 'http.idempotency_keys', 'event_store.snapshots'])
      expect([table, await textOf(table)]).not.toStrictEqual([table, ''])
  })

  it('is in no table except those of the accounts read model, which hold only what is read, and e-mail addresses in two more', async () => {
    // The job queue creates its tables after the start, and renames some of them then. A worker signs on once they are there.
    await expect.poll(() => textOf('job_workers.workers')).not.toBe('')
    const names = await tables()
    expect(names).toContain('event_store.events')
    for (const name of names) {
      const allowed = name.startsWith('accounts.') ? readInAccounts : searchedOrListed.has(name) ? ['email'] : []
      expect([name, secretsIn(await textOf(name)).filter((secret) => !allowed.includes(secret))]).toStrictEqual([
        name,
        [],
      ])
    }
  })

  it('is in no log, at any level', () => {
    expect(secretsIn(logged.join(''))).toStrictEqual([])
  })

  it('is in no refusal', () => {
    expect(refusals.length).toBeGreaterThan(9)
    expect(secretsIn(refusals.join('\n'))).toStrictEqual([])
  })
})
