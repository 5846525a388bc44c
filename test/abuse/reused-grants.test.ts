import { describe, expect, it } from 'vitest'
import {
  asBearer,
  codeFor,
  exchange,
  expectProtocolError,
  newClient,
  refresh,
  tokensFor,
  tokensIn,
} from '../operations/support/oauth2.js'
import { openServer } from '../operations/support/scene.js'

/** A code or refresh token that is used a second time may be stolen (RFC 6749, 4.1.2; RFC 9700, 4.14.2). */

const guildhall = await openServer()
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
  it('ends all tokens that came from it, however often they were refreshed, and nothing else', async () => {
    const other = await tokensFor(guildhall, ada, engine)
    const stolen = await tokensFor(guildhall, ada, engine)
    let last = stolen
    const accesses = [stolen.access]
    for (let times = 0; times < 5; times += 1) {
      last = tokensIn(await refresh(guildhall, engine, last.refresh))
      accesses.push(last.access)
    }
    expectProtocolError(await refresh(guildhall, engine, stolen.refresh), 'invalid_grant')
    for (const access of accesses) expect(await isAlive(access)).toBe(false)
    expectProtocolError(await refresh(guildhall, engine, last.refresh), 'invalid_grant')
    expect(await isAlive(other.access)).toBe(true)
  })

  it('ends nothing if another client sends it', async () => {
    const first = await tokensFor(guildhall, ada, engine)
    const second = tokensIn(await refresh(guildhall, engine, first.refresh))
    expectProtocolError(await refresh(guildhall, loom, first.refresh), 'invalid_grant')
    expect(await isAlive(second.access)).toBe(true)
  })
})
