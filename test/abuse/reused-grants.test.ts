import { describe, expect, it } from 'vitest'
import { exchangeTokens } from '../../application/apps/oauth2/exchange-tokens.ts'
import { applicationId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { secondsAfter } from '../../domain/kernel/timestamp.ts'
import { repeatedUse_s } from '../../domain/oauth2-authorization/state.ts'
import {
  asBearer,
  codeFor,
  exchange,
  expectProtocolError,
  newClient,
  refresh,
  tokensFor,
  tokensIn,
  type TestTokens,
} from '../operations/support/oauth2.ts'
import { openServer } from '../operations/support/scene.ts'
import { testRequester } from '../support/test-requester.ts'

/** A code or refresh token that is used a second time may be stolen (RFC 6749, 4.1.2; RFC 9700, 4.14.2). */

const guildhall = await openServer('proxied')
const owner = await guildhall.register()
const ada = await guildhall.register()
const engine = await newClient(guildhall, owner)
const loom = await newClient(guildhall, owner, { name: 'Loom' })

const isAlive = async (access: string): Promise<boolean> =>
  (await guildhall.request('GET', '/v1/oauth2/@me', { token: asBearer({ access }) })).status === 200

describe('a code that is used twice', () => {
  it('ends the tokens that it gave, also refreshed ones, and nothing else', async () => {
    const other = await tokensFor(guildhall, ada, engine)
    const code = await codeFor(guildhall, ada, engine)
    const first = tokensIn(await exchange(guildhall, engine, code))
    const second = tokensIn(await refresh(guildhall, engine, first.refresh))
    expectProtocolError(await exchange(guildhall, engine, code), 'invalid_grant')
    expect(await isAlive(first.access)).toBe(false)
    expect(await isAlive(second.access)).toBe(false)
    expectProtocolError(await refresh(guildhall, engine, second.refresh), 'invalid_grant')
    expect(await isAlive(other.access)).toBe(true)
    expect((await refresh(guildhall, engine, other.refresh)).status).toBe(200)
  })

  it('ends them also if another client sends it again', async () => {
    const code = await codeFor(guildhall, ada, engine)
    const { access } = tokensIn(await exchange(guildhall, engine, code))
    expectProtocolError(await exchange(guildhall, loom, code), 'invalid_grant')
    expect(await isAlive(access)).toBe(false)
  })

  it('leaves no token alive when 20 requests exchange it at the same moment', async () => {
    const code = await codeFor(guildhall, ada, engine)
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(guildhall, engine, code)))
    for (const answer of answers) {
      if (answer.status === 200) expect(await isAlive(tokensIn(answer).access)).toBe(false)
      else expectProtocolError(answer, 'invalid_grant')
    }
  })

  it('lets the account authorise the application again', async () => {
    const code = await codeFor(guildhall, ada, engine)
    await exchange(guildhall, engine, code)
    await exchange(guildhall, engine, code)
    expect(await isAlive((await tokensFor(guildhall, ada, engine)).access)).toBe(true)
  })
})

describe('a refresh token that is used twice', () => {
  it.each([2, 20])('gives tokens to one of %i requests at the same moment, and these go on working', async (count) => {
    const { refresh: token } = await tokensFor(guildhall, ada, engine)
    const answers = await Promise.all(Array.from({ length: count }, () => refresh(guildhall, engine, token)))
    const winners = answers.filter(({ status }) => status === 200)
    for (const answer of answers) if (!winners.includes(answer)) expectProtocolError(answer, 'invalid_grant')
    expect(winners).toHaveLength(1)
    for (const winner of winners) await expectToGoOn(tokensIn(winner))
  })

  it('is refused the second time, and ends nothing if the same client repeats it within 30 s', async () => {
    const first = await tokensFor(guildhall, ada, engine)
    const second = tokensIn(await refresh(guildhall, engine, first.refresh))
    expectProtocolError(await refresh(guildhall, engine, first.refresh), 'invalid_grant')
    expect(await isAlive(first.access)).toBe(true)
    const third = await expectToGoOn(second)
    expectProtocolError(await refresh(guildhall, engine, first.refresh), 'invalid_grant')
    await expectToGoOn(third)
  })

  it('ends nothing from another address of the same IPv6 network', async () => {
    const first = await tokensFor(guildhall, ada, engine)
    const second = tokensIn(await refresh(guildhall, engine, first.refresh, from('2001:db8::7')))
    expectProtocolError(await refresh(guildhall, engine, first.refresh, from('2001:db8::8')), 'invalid_grant')
    await expectToGoOn(second)
  })

  it('ends all tokens that came from it, however often they were refreshed, and nothing else', async () => {
    const other = await tokensFor(guildhall, ada, engine)
    const stolen = await tokensFor(guildhall, ada, engine)
    let last = stolen
    const accesses = [stolen.access]
    for (let times = 0; times < 5; times += 1) {
      last = tokensIn(await refresh(guildhall, engine, last.refresh))
      accesses.push(last.access)
    }
    expectProtocolError(await refresh(guildhall, engine, stolen.refresh, from('203.0.113.7')), 'invalid_grant')
    for (const access of accesses) expect(await isAlive(access)).toBe(false)
    expectProtocolError(await refresh(guildhall, engine, last.refresh), 'invalid_grant')
    expect(await isAlive(other.access)).toBe(true)
  })

  it('ends them also at the same address once 30 s are over', async () => {
    const first = await tokensFor(guildhall, ada, engine)
    const second = tokensIn(await refresh(guildhall, engine, first.refresh))
    await refreshIn(repeatedUse_s - 20, first.refresh)
    expect(await isAlive(second.access)).toBe(true)
    await refreshIn(repeatedUse_s, first.refresh)
    expect(await isAlive(first.access)).toBe(false)
    expect(await isAlive(second.access)).toBe(false)
    expectProtocolError(await refresh(guildhall, engine, second.refresh), 'invalid_grant')
  })

  it('ends nothing if another client sends it', async () => {
    const first = await tokensFor(guildhall, ada, engine)
    const second = tokensIn(await refresh(guildhall, engine, first.refresh))
    expectProtocolError(await refresh(guildhall, loom, first.refresh), 'invalid_grant')
    expectProtocolError(await refresh(guildhall, loom, first.refresh, from('203.0.113.7')), 'invalid_grant')
    expect(await isAlive(second.access)).toBe(true)
  })
})

const from = (address: string) => ({ 'x-forwarded-for': address })

/** Expects tokens to be good for requests, and for being refreshed once. */
async function expectToGoOn({ access, refresh: token }: TestTokens): Promise<TestTokens> {
  expect(await isAlive(access)).toBe(true)
  return tokensIn(await refresh(guildhall, engine, token))
}

/** Sends a used refresh token as if so many seconds had passed, and expects a refusal. */
async function refreshIn(seconds: number, refreshToken: string): Promise<void> {
  const { context, ...requester } = testRequester()
  const later = { ...context, now: secondsAfter(context.now, seconds) }
  const client = { clientId: applicationId(snowflake(engine.id)), clientSecret: engine.clientSecret }
  const refreshing = exchangeTokens(guildhall.ports)(
    { ...requester, context: later },
    { grantType: 'refresh_token', refreshToken, ...client },
  )
  await expect(refreshing).rejects.toMatchObject({ refusal: { oauth2: { error: 'invalid_grant' } } })
  await guildhall.ports.readModels.reached(context.settled)
}
