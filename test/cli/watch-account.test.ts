import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beforeAll as beginning } from '../../domain/kernel/position.ts'
import type { Payload } from '../gateway/support/client.ts'
import { addBot, newApplication, type TestApplication } from '../operations/support/applications.ts'
import type { TestGuild } from '../operations/support/answers.ts'
import { connections } from '../operations/support/connected.ts'
import { deletionIsDue, erase } from '../operations/support/erasure.ts'
import { sent } from '../operations/support/messages.ts'
import { befriend } from '../operations/support/relationships.ts'
import { foundWith } from '../operations/support/scene.ts'
import { startEventStoreDouble } from '../support/eventstoredb-double/double.ts'
import { natsIsMissing, natsSuite } from '../support/nats-server.ts'
import { sharedServers } from '../support/shared-servers.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { runHere } from './support/command-here.ts'
import { environmentOf } from './support/instance.ts'
import { runningCommands, type RunningCommand } from './support/running-command.ts'

const personalDataKey = randomBytes(32)
const { connect, end: disconnect } = connections()
const { start, end: endCommands } = runningCommands()
afterAll(() => {
  disconnect()
  endCommands()
})

/** The processes of an instance that answer requests and serve the Gateway, and what names the instance to commands. */
interface Site {
  readonly api: TestGuildhall
  readonly gateway: TestGuildhall
  readonly environment: Readonly<Record<string, string>>
}

async function ended({ child }: RunningCommand): Promise<unknown> {
  const closed = once(child, 'close')
  child.kill('SIGINT')
  return closed
}

/** Everything in history, and which accounts have begun a session. */
async function written({ store }: TestGuildhall) {
  const events: string[] = []
  for await (const page of store.events.readAll(beginning)) for (const { type } of page) events.push(type)
  const { rows } = await store.database.pool.query<{ readonly account_id: string }>(
    'select account_id::text from started_sessions.accounts order by 1',
  )
  return { events, started: rows.map(({ account_id }) => account_id) }
}

const isMessage =
  (content: string) =>
  ({ t, d }: Payload): boolean =>
    t === 'MESSAGE_CREATE' && d['content'] === content
const namesOf = (heard: readonly Payload[]): readonly (string | undefined)[] => heard.map(({ t }) => t)

/** Ada's guild, which Brian is in, who is her friend, and a bot. */
function watching(site: () => Site): void {
  let ada: TestAccount
  let brian: TestAccount
  let home: TestGuild
  let bot: TestApplication

  const watch = (account: string, ...words: readonly string[]): RunningCommand =>
    start(['watch', '--account', account, ...words], site().environment)

  beforeAll(async () => {
    const { api } = site()
    ada = await api.register('Ada')
    brian = await api.register('Brian')
    home = await foundWith(api, ada, brian)
    await befriend(api, ada, brian)
    bot = await newApplication(api, ada)
    await addBot(api, bot, home)
  })

  it('prints what the account is told, and nobody hears of it', async () => {
    const { api, gateway } = site()
    const { client } = await connect(gateway, brian)
    await sent(api, brian, home.channel, 'before')
    await client.until(isMessage('before'), 'before')
    const before = await written(api)
    const command = watch(ada.id, '--reason', 'Case 7')
    await expect
      .poll(command.output)
      .toMatch(/^\d\d:\d\d:\d\d\.\d{3} +1  READY +"Ada#\d{4}" in 1 guilds, session \w+\n$/)
    expect(await written(api)).toStrictEqual({ ...before, events: [...before.events, 'AdminActionRecorded'] })
    await sent(api, brian, home.channel, 'during')
    await api.request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, body: { name: 'Garden' } })
    await expect.poll(command.output).toMatch(/MESSAGE_CREATE +"Brian#\d{4}": "during" /)
    await expect.poll(command.output).toMatch(/GUILD_UPDATE +id=\d+ name="?Garden/)
    expect(await ended(command)).toStrictEqual([0, null])
    expect(command.said()).toBe('')
    await sent(api, brian, home.channel, 'after')
    expect(namesOf(await client.until(isMessage('after'), 'after'))).not.toContain('PRESENCE_UPDATE')
    // A session of hers is told of.
    await connect(gateway, ada)
    await client.dispatch('PRESENCE_UPDATE')
  })

  it('leaves an entry in the admin audit log that says who was watched and why', async () => {
    const { api } = site()
    const entries: unknown[] = []
    for await (const page of api.store.events.readAll(beginning))
      for (const { type, data } of page) if (type === 'AdminActionRecorded') entries.push(data)
    expect(entries.at(-1)).toMatchObject({
      action: 'get_user_dispatches',
      adminId: '0',
      credential: 'command_line',
      targetType: 'user',
      targetId: ada.id,
      personalReason: 'Case 7',
    })
  })

  it('takes a bot, as JSON lines, and ends once the bot is told no more', async () => {
    const { api } = site()
    const command = watch(bot.id, '--json')
    const lines = () =>
      command
        .output()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Payload)
    await expect.poll(() => namesOf(lines())).toStrictEqual(['READY', 'GUILD_CREATE'])
    expect(lines()[0]).toMatchObject({ t: 'READY', s: 1, d: { user: { id: bot.id, bot: true } } })
    await sent(api, brian, home.channel, 'to a bot')
    await expect.poll(() => lines().some(isMessage('to a bot'))).toBe(true)
    const closed = once(command.child, 'close')
    const removal = { token: ada.token, body: { password: ada.password } }
    expect((await api.request('DELETE', `/v1/oauth2/applications/${bot.id}`, removal)).status).toBe(204)
    expect(await closed).toStrictEqual([1, null])
    expect(command.said()).toMatch(
      /is closed, by a ban, by its holder or by its deletion: the Gateway tells it nothing\n$/,
    )
  })
}

describe('guildhall watch --account', () => {
  let server: TestGuildhall
  let database: TestDatabase
  let environment: Readonly<Record<string, string>>
  beforeAll(async () => {
    database = await laidDatabase()
    environment = environmentOf(database.connection, personalDataKey)
    server = await startTestGuildhall({ connection: database.connection, personalDataKey })
  })
  afterAll(async () => {
    disconnect()
    await server.close()
    await database.close()
  })

  watching(() => ({ api: server, gateway: server, environment }))

  const refused = (...words: readonly string[]) => runHere(['watch', ...words], environment)

  it('refuses who is not there, is erased or is banned, and leaves no entry of it', async () => {
    const [gone, banned] = [await server.register(), await server.register('Banned')]
    await deletionIsDue(server, gone)
    expect(await erase(server, gone)).toBe(true)
    expect(await runHere(['user', 'ban', banned.id, '--no-mail'], environment)).toMatchObject({ code: 0 })
    const before = await written(server)
    const none = { code: 1, output: '' }
    expect(await refused('--account', '123')).toStrictEqual({ ...none, said: 'There is no account 123\n' })
    expect(await refused('--account', gone.id)).toStrictEqual({
      ...none,
      said: `Account ${gone.id} is deleted: the Gateway tells it nothing\n`,
    })
    expect(await refused('--account', 'Banned')).toStrictEqual({
      ...none,
      said: 'Account Banned is closed, by a ban, by its holder or by its deletion: the Gateway tells it nothing\n',
    })
    expect(await written(server)).toStrictEqual(before)
  })

  it('takes an account or a token, not both', async () => {
    expect(await refused('--account', '1', '--token-file', '-')).toMatchObject({
      code: 1,
      said: '--account needs neither --url nor --token-file\n',
    })
    expect(await refused('--reason', 'Case 7')).toMatchObject({ code: 1, said: '--reason goes with --account\n' })
  })
})

describe('guildhall watch --account, with events in EventStoreDB', () => {
  let site: Site
  const closings: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const { connection, close } = await laidDatabase()
    closings.push(close)
    const double = await startEventStoreDouble()
    closings.push(() => double.close())
    const server = await startTestGuildhall({ connection, personalDataKey, eventStoreUrl: double.url })
    closings.push(() => server.close())
    site = { api: server, gateway: server, environment: environmentOf(connection, personalDataKey, double.url) }
  })
  afterAll(async () => {
    disconnect()
    endCommands()
    for (const close of closings.toReversed()) await close()
  })

  watching(() => site)
})

describe.skipIf(natsIsMissing !== undefined)(natsSuite('guildhall watch --account, beside roles'), () => {
  let servers: Site
  const closings: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const shared = await sharedServers(closings)
    const api = await startTestGuildhall({ ...shared, roles: ['api', 'projector', 'worker'] })
    closings.push(() => api.close())
    const gateway = await startTestGuildhall({ ...shared, roles: ['gateway'] })
    closings.push(() => gateway.close())
    servers = { api, gateway, environment: environmentOf(shared.connection, shared.personalDataKey) }
  })
  afterAll(async () => {
    disconnect()
    for (const close of closings.toReversed()) await close()
  })

  watching(() => servers)
})
