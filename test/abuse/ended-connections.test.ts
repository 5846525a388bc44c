import { afterEach, describe, expect, it } from 'vitest'
import type { Client } from '../gateway/support/client.ts'
import { expectEnded } from '../gateway/support/ended.ts'
import { identifyOf } from '../gateway/support/facts.ts'
import { bodyOf } from '../operations/support/answers.ts'
import { applicationsPath, newApplication, type TestApplication } from '../operations/support/applications.ts'
import { connections } from '../operations/support/connected.ts'
import { openProvider, openWith } from '../operations/support/single-sign-on.ts'
import { administrator } from '../support/administrators.ts'
import type { TestAccount, TestAnswer } from '../support/test-guildhall.ts'
import { endingActs } from './support/ending-acts.ts'
import { sessionActs, waysToEndSessions } from './support/session-acts.ts'

/** Whatever ends a session, its connection hears the same (rules/gateway#how-a-session-ends). */

const provider = await openProvider()
const guildhall = await openWith(provider, {}, { withMailServer: true })
const { request } = guildhall
const root = await administrator(guildhall, '*')
const { connect, end } = connections()
afterEach(end)

/** The client hears op 9 and keeps a socket without a session, which nothing of the old one is worth anything on. */
async function expectOver(client: Client, token: string): Promise<void> {
  const { sessionId, sequence } = client
  await expectEnded(client)
  client.send(6, { token, session_id: sessionId, seq: sequence })
  await expectEnded(client)
  client.send(2, identifyOf({ token }))
  expect(await client.closed).toStrictEqual({ code: 4004, reason: 'Invalid token' })
  const invalidAt = client.payloads.findIndex(({ op }) => op === 9)
  expect(client.payloads.slice(invalidAt).filter(({ op }) => op === 0)).toEqual([])
}

/** A second session of an account. Its own is the one that asks. */
async function phoneOf({ email, password }: TestAccount): Promise<string> {
  return String(bodyOf(await request('POST', '/v1/auth/login', { body: { email, password } }))['token'])
}

describe('the connection of a session hears Invalid Session', () => {
  it.each(waysToEndSessions(guildhall, root))('after %s', async (_, act) => {
    const holder = await guildhall.register()
    const token = await phoneOf(holder)
    const { client } = await connect(guildhall, { token })
    expect((await act(holder)).status).toBeLessThan(300)
    await expectOver(client, token)
  })

  it('after logging out', async () => {
    const { token } = await guildhall.register()
    const { client } = await connect(guildhall, { token })
    expect((await request('POST', '/v1/auth/logout', { token })).status).toBe(204)
    await expectOver(client, token)
  })

  it.each(endingActs(guildhall, provider))('after $name', async ({ register, act }) => {
    const holder = await register()
    const { client } = await connect(guildhall, holder)
    await act(holder)
    await expectOver(client, holder.token)
  })
})

/** An act on the bot of an application, by its owner or by an administrator. */
type BotAct = (engine: TestApplication, owner: TestAccount) => Promise<TestAnswer>

const onApplication =
  (method: string, below: string): BotAct =>
  ({ id }, { token, password }) =>
    request(method, `${applicationsPath}/${id}${below}`, { token, body: { password } })
const { close } = sessionActs(guildhall, root)
const closings = Object.entries(close).map(
  ([name, act]): readonly [string, BotAct] => [name, ({ id }, owner) => act({ ...owner, id })] as const,
)
const botActs: readonly (readonly [string, BotAct])[] = [
  ...closings,
  ['a new token', onApplication('POST', '/bot/reset-token')],
  ['the deletion of its application', onApplication('DELETE', '')],
  [
    'an administrator who makes it a person',
    ({ id }) => request('PUT', `/v1/admin/users/${id}/bot-status`, { token: root.token, body: { bot: false } }),
  ],
]

describe('the connection of a bot hears Invalid Session', () => {
  it.each(botActs)('after %s', async (_, act) => {
    const owner = await guildhall.register()
    const engine = await newApplication(guildhall, owner)
    const { client } = await connect(guildhall, { token: engine.botToken })
    expect((await act(engine, owner)).status).toBeLessThan(300)
    await expectOver(client, engine.botToken)
  })

  it.each(endingActs(guildhall, provider))('after $name, for its owner', async ({ register, act }) => {
    const owner = await register()
    const { botToken: token } = await newApplication(guildhall, owner)
    const { client } = await connect(guildhall, { token })
    await act(owner)
    await expectOver(client, token)
  })
})
