import { afterEach, describe, expect, it } from 'vitest'
import { consent as consentUseCase } from '../../application/apps/oauth2/consent.ts'
import { resetBotToken } from '../../application/apps/applications/change-application.ts'
import type { Caller } from '../../application/caller.ts'
import { linkOwnArchive } from '../../application/identity/archives/own-archives.ts'
import { sessionTokenHash } from '../../application/identity/tokens/session-token.ts'
import type { AccountCommand } from '../../domain/account/commands.ts'
import { applicationId, archiveId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { idOf } from '../operations/administration/users/support.ts'
import { bodyOf, expectRefusal, listOf } from '../operations/support/answers.ts'
import { asBot, type TestApplication } from '../operations/support/applications.ts'
import { harvestsOf } from '../operations/support/archives.ts'
import { connections, type Connected } from '../operations/support/connected.ts'
import {
  asBearer,
  codeFor,
  exchange,
  expectProtocolError,
  newClient,
  provenBy,
  redirectUri,
  refresh,
  sendForm,
  tokensFor,
  tokensIn,
  type TestTokens,
} from '../operations/support/oauth2.ts'
import { openProvider, openWith } from '../operations/support/single-sign-on.ts'
import { administrator } from '../support/administrators.ts'
import { testContext } from '../support/test-context.ts'
import { testRequester } from '../support/test-requester.ts'
import type { TestAccount, TestAnswer } from '../support/test-guildhall.ts'
import { endingActs } from './support/ending-acts.ts'

/**
 * Whoever had an account may have let others speak for it: applications, bots, people with a link. These end with the sessions where
 * the account changes hands, and where its holder asks for it; docs/what-ends-access.md.
 */

const provider = await openProvider()
const guildhall = await openWith(provider, {}, { withMailServer: true, looks_ms: 100 })
const { request, ports } = guildhall
const root = await administrator(guildhall, '*')
const engine = await newClient(guildhall, await guildhall.register())
const { connect, end } = connections()
afterEach(end)

/** All that speaks for an account. */
interface Speaking {
  readonly holder: TestAccount
  readonly tokens: TestTokens
  readonly code: string
  readonly own: TestApplication
  readonly bot: Connected
  readonly archive: string
  readonly link: string
}

async function speakingFor(holder: TestAccount): Promise<Speaking> {
  const own = await newClient(guildhall, holder)
  const harvests = harvestsOf(guildhall, holder)
  const archive = String(bodyOf(await harvests.ask())['harvest_id'])
  await expect.poll(async () => bodyOf(await harvests.get(archive))['status']).toBe('completed')
  return {
    holder,
    tokens: await tokensFor(guildhall, holder, engine),
    code: await codeFor(guildhall, holder, engine),
    own,
    bot: await connect(guildhall, { token: own.botToken }),
    archive,
    link: await newLink(holder, archive),
  }
}

const newLink = async (holder: Pick<TestAccount, 'token'>, archive: string): Promise<string> =>
  String(bodyOf(await harvestsOf(guildhall, holder).link(archive))['download_url'])
const follow = (link: string): Promise<TestAnswer> => request('GET', link.slice(guildhall.url.length))
const statusOf = async (token: string, path = '/v1/users/@me'): Promise<number> =>
  (await request('GET', path, { token })).status
const currentGrant = '/v1/oauth2/@me'

async function expectNothingSpeaks({ holder, tokens, code, own, bot, link }: Speaking): Promise<void> {
  expectRefusal(await request('GET', '/v1/users/@me', { token: holder.token }), 401, 'UNAUTHORIZED')
  expectRefusal(await request('GET', currentGrant, { token: asBearer(tokens) }), 401, 'UNAUTHORIZED')
  const introspected = await sendForm(guildhall, 'introspect', { token: tokens.access, ...provenBy(engine) })
  expect(bodyOf(introspected)).toStrictEqual({ active: false })
  expectProtocolError(await refresh(guildhall, engine, tokens.refresh), 'invalid_grant')
  expectProtocolError(await exchange(guildhall, engine, code), 'invalid_grant')
  expectRefusal(await request('GET', '/v1/users/@me', { token: asBot(own) }), 401, 'UNAUTHORIZED')
  expect(await bot.client.op(9)).toMatchObject({ d: false })
  await expect(connect(guildhall, { token: own.botToken })).rejects.toThrow('4004')
  expectRefusal(await follow(link), 400, 'HARVEST_EXPIRED')
}

async function expectAllSpeaks({ tokens, code, own, bot, link }: Speaking): Promise<void> {
  expect(await statusOf(asBearer(tokens), currentGrant)).toBe(200)
  expect((await refresh(guildhall, engine, tokens.refresh)).status).toBe(200)
  expect((await exchange(guildhall, engine, code)).status).toBe(200)
  expect(await statusOf(asBot(own))).toBe(200)
  bot.client.send(1, null)
  await bot.client.op(11)
  expect((await fetch(link)).status).toBe(200)
}

const post = (path: string, body: unknown, token?: string): Promise<TestAnswer> =>
  request('POST', path, { body, ...(token === undefined ? {} : { token }) })
const password = 'a new password'

describe('everything that speaks for an account', () => {
  it.each(endingActs(guildhall, provider))('ends by $name, and can be given anew', async ({ register, act }) => {
    const speaking = await speakingFor(await register())
    await expectAlive(speaking)
    const next = { token: await act(speaking.holder) }
    await expectNothingSpeaks(speaking)
    await expectNoConsent(next)
    await expectGivenAnew(speaking, next)
  })
})

/** No page gets a code without asking. */
async function expectNoConsent(holder: Pick<TestAccount, 'token'>): Promise<void> {
  expect(listOf(await request('GET', '/v1/oauth2/@me/authorizations', holder))).toEqual([])
  const wishes = { response_type: 'code', client_id: engine.id, redirect_uri: redirectUri }
  const query = new URLSearchParams({ ...wishes, scope: 'identify', prompt: 'none' })
  const headers = { authorization: holder.token }
  const asked = await fetch(`${guildhall.url}/v1/oauth2/authorize?${query.toString()}`, { redirect: 'manual', headers })
  expect(asked.headers.get('location')).toContain('error=consent_required')
}

async function expectGivenAnew({ holder, own, archive }: Speaking, next: Pick<TestAccount, 'token'>): Promise<void> {
  const tokens = await tokensFor(guildhall, next, engine)
  expect(await statusOf(asBearer(tokens), currentGrant)).toBe(200)
  expect(await statusOf(asBearer(tokensIn(await refresh(guildhall, engine, tokens.refresh))), currentGrant)).toBe(200)
  const caller = callerOf(await accountOf(holder), next.token)
  const { token } = await resetBotToken(ports)(caller, applicationId(snowflake(own.id)))
  await ports.readModels.reached(caller.context.written)
  expect(await statusOf(`Bot ${token}`)).toBe(200)
  await connect(guildhall, { token })
  expect((await fetch(await newLink(next, archive))).status).toBe(200)
}

async function accountOf(holder: TestAccount): Promise<Caller['account']> {
  const account = await ports.queries.accounts.find(idOf(holder))
  if (!account) throw new Error('The account is not there')
  return account
}

/** Like `expectAllSpeaks`, and uses nothing up. */
async function expectAlive({ tokens, own, link }: Speaking): Promise<void> {
  expect(await statusOf(asBearer(tokens), currentGrant)).toBe(200)
  expect(await statusOf(asBot(own))).toBe(200)
  expect((await fetch(link)).status).toBe(200)
}

describe('a process that dies right after the event of the account', () => {
  const { now } = testContext()
  const takeBack = { type: 'RevertEmailAddress', email: 'earlier@example.com', changedAt: now } as const
  const commands: readonly (readonly [string, (session: string) => AccountCommand])[] = [
    ['signing out everywhere', (bySession) => ({ type: 'SignOutEverywhere', bySession, now })],
    ['an address that is taken back', () => ({ ...takeBack, passwordHash: '$1', now })],
  ]

  it.each(commands)('leaves nothing to be ended later: %s', async (_, commandBy) => {
    const speaking = await speakingFor(await guildhall.register())
    const command = commandBy(sessionTokenHash(speaking.holder.token))
    const context = testContext()
    const moved = { email: 'later@example.com', from: speaking.holder.email, verified: true, now } as const
    await ports.aggregates.account.execute(
      idOf(speaking.holder),
      { type: 'ChangeEmailAddress', ...moved },
      testContext(),
    )
    // Nothing of the request follows.
    await ports.aggregates.account.execute(idOf(speaking.holder), command, context)
    await ports.readModels.reached(context.written)
    await expectNothingSpeaks(speaking)
  })
})

describe('a request that began before', () => {
  it('gives nothing that speaks for the account afterwards', async () => {
    const { holder, own, archive } = await speakingFor(await guildhall.register())
    const late = callerOf(await accountOf(holder), holder.token)
    expect((await post('/v1/auth/sessions/logout-all', { password: holder.password }, holder.token)).status).toBe(204)

    const { token } = await resetBotToken(ports)(late, applicationId(snowflake(own.id)))
    const wishes = { scope: 'identify', redirectUri, state: null, codeChallenge: null, codeChallengeMethod: null }
    const named = { clientId: applicationId(snowflake(engine.id)), guildId: null, channelId: null, permissions: 0n }
    const { redirect_to: to } = await consentUseCase(ports)(late, { ...wishes, ...named })
    const { download_url: link } = await linkOwnArchive(ports)(late, archiveId(snowflake(archive)))
    await ports.readModels.reached(late.context.written)

    expectRefusal(await request('GET', '/v1/users/@me', { token: `Bot ${token}` }), 401, 'UNAUTHORIZED')
    const code = new URL(to).searchParams.get('code') ?? ''
    expectProtocolError(await exchange(guildhall, engine, code), 'invalid_grant')
    expectRefusal(await follow(link), 400, 'HARVEST_EXPIRED')
  })

  it('leaves a bot the token that a later request gave it', async () => {
    const { holder, own } = await speakingFor(await guildhall.register())
    const id = applicationId(snowflake(own.id))
    const late = callerOf(await accountOf(holder), holder.token)
    expect((await post('/v1/auth/sessions/logout-all', { password: holder.password }, holder.token)).status).toBe(204)
    const next = callerOf(await accountOf(holder), holder.token)
    const { token } = await resetBotToken(ports)(next, id)
    await expect(resetBotToken(ports)(late, id)).rejects.toMatchObject({ refusal: { code: 'UNAUTHORIZED' } })
    await ports.readModels.reached(next.context.written)
    expect(await statusOf(`Bot ${token}`)).toBe(200)
  })
})

describe('delegations', () => {
  it.each<[string, (holder: TestAccount) => Promise<TestAnswer>]>([
    ['one session that is logged out', ({ token }) => post('/v1/auth/logout', undefined, token)],
    [
      'named sessions that are logged out',
      ({ token, password: proof }) => {
        const named = [sessionTokenHash(token)]
        return post('/v1/auth/sessions/logout', { session_id_hashes: named, password: proof }, token)
      },
    ],
    [
      'a new password',
      ({ token, password: proof }) =>
        request('PATCH', '/v1/users/@me', { token, body: { password: proof, new_password: password } }),
    ],
    [
      'sessions that an administrator terminates',
      ({ id }) => request('DELETE', `/v1/admin/users/${id}/sessions`, { token: root.token }),
    ],
  ])('outlive %s', async (_, act) => {
    const speaking = await speakingFor(await guildhall.register())
    expect((await act(speaking.holder)).status).toBeLessThan(300)
    expect(await statusOf(speaking.holder.token)).toBe(401)
    await expectAllSpeaks(speaking)
  })
})

function callerOf(account: Caller['account'], token: string): Caller {
  return { ...testRequester(), account, credential: { kind: 'session', tokenHash: sessionTokenHash(token) } }
}
