import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountFlags } from '../../domain/account/flags.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { Client } from '../gateway/support/client.ts'
import { identifyOf } from '../gateway/support/facts.ts'
import { banOver } from '../operations/support/account-bans.ts'
import { bodyOf, expectRefusal, found, listOf } from '../operations/support/answers.ts'
import { applicationsPath, asBot, createApplication, newApplication } from '../operations/support/applications.ts'
import { consent, newClient } from '../operations/support/oauth2.ts'
import { administrator } from '../support/administrators.ts'
import { natsIsMissing, natsSuite } from '../support/nats-server.ts'
import { sharedServers } from '../support/shared-servers.ts'
import { startTestGuildhall, type TestGuildhall } from '../support/test-guildhall.ts'
import { expectEnded } from '../gateway/support/ended.ts'

describe.skipIf(natsIsMissing !== undefined)(natsSuite('bots, between two processes'), () => {
  let one: TestGuildhall
  let two: TestGuildhall
  /** Carries out no commands of clients. */
  let gateway: TestGuildhall
  const closings: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    const shared = await sharedServers(closings)
    one = await startTestGuildhall(shared)
    closings.push(() => one.close())
    two = await startTestGuildhall({ ...shared, roles: ['api', 'gateway'] })
    closings.push(() => two.close())
    gateway = await startTestGuildhall({ ...shared, roles: ['gateway'] })
    closings.push(() => gateway.close())
  })
  afterAll(async () => {
    for (const close of closings.toReversed()) await close()
  })

  it('a token that one process resets is at once invalid in the other, and its sessions there end', async () => {
    const ada = await one.register()
    const engine = await newApplication(one, ada)
    const me = (botToken: string) => two.request('GET', '/v1/users/@me', { token: asBot({ botToken }) })
    expect(bodyOf(await me(engine.botToken))).toMatchObject({ id: engine.id })
    const client = new Client(`${two.url.replace('http', 'ws')}/gateway?v=1&encoding=json`)
    await client.op(10)
    client.send(2, identifyOf({ token: engine.botToken }))
    await client.dispatch('READY')
    const path = `${applicationsPath}/${engine.id}/bot/reset-token`
    const reset = bodyOf(await one.request('POST', path, { token: ada.token, body: { password: ada.password } }))
    expectRefusal(await me(engine.botToken), 401, 'UNAUTHORIZED')
    expect(bodyOf(await me(String(reset['token'])))).toMatchObject({ id: engine.id })
    expect(await client.op(9)).toStrictEqual({ op: 9, d: false })
    client.close()
  })

  it('a ban in one process ends the sessions in another, and an Identify there ends a ban that is over', async () => {
    const engine = await newApplication(one, await one.register())
    const root = await administrator(one, '*')
    const identified = async (): Promise<Client> => {
      const client = new Client(`${gateway.url.replace('http', 'ws')}/gateway?v=1&encoding=json`)
      await client.op(10)
      client.send(2, identifyOf({ token: engine.botToken }))
      return client
    }
    const closed = { code: 4004, reason: 'Invalid token' }
    const connected = await identified()
    await connected.dispatch('READY')
    const body = { duration_hours: 1 }
    bodyOf(await one.request('PUT', `/v1/admin/users/${engine.id}/ban`, { token: root.token, body }))
    await expectEnded(connected)
    expect(await (await identified()).closed).toStrictEqual(closed)
    await banOver(one, engine)
    const back = await identified()
    await back.dispatch('READY')
    const bot = await one.ports.queries.accounts.find(accountId(snowflake(engine.id)))
    expect(bot?.bannedUntil).toBeNull()
    // A worker sets the flag of a first session in the background, before or after this.
    expect(BigInt(bot?.flags ?? -1) & ~accountFlags.HAS_SESSION_STARTED).toBe(0n)
    back.close()
  })

  it('a bot is added to a guild once, even if both processes are asked at the same moment', async () => {
    const ada = await one.register()
    const engine = await newClient(one, ada)
    const home = await found(one, ada)
    const wishes = { scope: 'bot', redirect_uri: null, guild_id: home.id, permissions: '2' }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, number) => consent(number % 2 === 0 ? one : two, ada, engine, wishes)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body)
    // On a slow machine the answer may be RESOURCE_LOCKED, because the queue takes longer than a request waits.
    const told = expect.objectContaining({ code: expect.stringMatching(/^(BOT_ALREADY_IN_GUILD|RESOURCE_LOCKED)$/) })
    expect(refused).toStrictEqual(refused.map(() => told))
    const guild = bodyOf(await two.request('GET', `/v1/guilds/${home.id}`, { token: ada.token }))
    expect(guild).toMatchObject({ member_count: 2, roles: { length: 2 } })
  })

  it('an account owns at most 25 applications, whichever process is asked', async () => {
    const ada = await one.register()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, number) => createApplication(number % 2 === 0 ? one : two, ada)),
    )
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 400, 'MAX_APPLICATIONS')
    const owned = listOf(await two.request('GET', '/v1/users/@me/applications', { token: ada.token }))
    expect(owned).toHaveLength(25)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25)
  })
})
