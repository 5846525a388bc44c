import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../gateway/support/client.ts'
import { accept, bodyOf, found, invite, type TestGuild } from '../operations/support/answers.ts'
import { connections } from '../operations/support/connected.ts'
import { messagesPath, send } from '../operations/support/messages.ts'
import { natsIsMissing, natsSuite } from '../support/nats-server.ts'
import { sharedServers } from '../support/shared-servers.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'

describe.skipIf(natsIsMissing !== undefined)(natsSuite('messages, between processes'), () => {
  let api: TestGuildhall
  let gateways: readonly TestGuildhall[]
  let ada: TestAccount
  let home: TestGuild
  const { connect, end } = connections()
  const closings: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    const shared = await sharedServers(closings)
    const start = async (roles: readonly ('api' | 'gateway' | 'projector' | 'worker')[]) => {
      const process = await startTestGuildhall({ ...shared, roles })
      closings.push(() => process.close())
      return process
    }
    api = await start(['api', 'projector', 'worker'])
    gateways = [await start(['gateway']), await start(['gateway'])]
    ada = await api.register()
    home = await found(api, ada)
  })
  afterAll(async () => {
    end()
    for (const close of closings.toReversed()) await close()
  })

  it('each message arrives at every Gateway once, in the order of the channel, while many are sent', async () => {
    const clients: Client[] = []
    for (const gateway of gateways) clients.push((await connect(gateway, ada)).client)
    const ids: string[] = []
    for (let count = 0; count < 10; count += 1)
      ids.push(String(bodyOf(await send(api, ada, home.channel, `message ${count}`))['id']))
    const atOnce = await Promise.all(
      Array.from({ length: 10 }, async (_, count) => bodyOf(await send(api, ada, home.channel, `at once ${count}`))),
    )
    const sent = [...ids, ...atOnce.map((body) => String(body['id']))]
    for (const client of clients) {
      const told: unknown[] = []
      while (told.length < sent.length) told.push((await client.dispatch('MESSAGE_CREATE')).d['id'])
      expect(told.slice(0, ids.length)).toStrictEqual(ids)
      expect(new Set(told)).toStrictEqual(new Set(sent))
      expect(told).toHaveLength(sent.length)
    }
  })

  it('a joiner elsewhere has the guild before the join message, and the others have the member before it', async () => {
    const brian = await api.register()
    const [one, two] = gateways
    if (!one || !two) throw new Error('there are two')
    const { client: joiner } = await connect(one, brian)
    const { client: owner } = await connect(two, ada)
    await accept(api, brian, await invite(api, ada, home.channel))
    for (const [client, before] of [
      [joiner, 'GUILD_CREATE'],
      [owner, 'GUILD_MEMBER_ADD'],
    ] as const) {
      const payloads = await client.until(({ t }) => t === 'MESSAGE_CREATE', 'the join message')
      expect(payloads.map(({ t }) => t)).toContain(before)
      expect(payloads.at(-1)?.d).toMatchObject({ type: 7, author: { id: brian.id }, channel_id: home.channel })
    }
  })

  it('a deleted message is announced as deleted, and no table of the instance has a trace of it', async () => {
    const [gateway] = gateways
    if (!gateway) throw new Error('there is one')
    const { client } = await connect(gateway, ada)
    const body = { content: 'canary quokka', nonce: 'nonce quokka' }
    const headers = { 'idempotency-key': 'key-quokka' }
    const path = messagesPath(home.channel)
    const message = bodyOf(await api.request('POST', path, { token: ada.token, body, headers }))
    await client.dispatch('MESSAGE_CREATE')
    await api.request('PATCH', `${path}/${String(message['id'])}`, {
      token: ada.token,
      body: { content: 'canary quokka b' },
    })
    await api.request('DELETE', `${path}/${String(message['id'])}`, { token: ada.token })
    expect((await client.dispatch('MESSAGE_DELETE')).d).toMatchObject({ id: message['id'], author_id: ada.id })
    expect(await rowsWith(api, 'quokka')).toStrictEqual([])
  })
})

/** Every row of every table that contains a word, as text or as bytes. */
async function rowsWith({ store }: TestGuildhall, word: string): Promise<readonly string[]> {
  const { pool } = store.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`,
  )
  const hex = Buffer.from(word).toString('hex')
  const found: string[] = []
  for (const { name } of tables) {
    const query = `select t::text as row from ${name} t where t::text like $1 or t::text like $2`
    const { rows } = await pool.query<{ row: string }>(query, [`%${word}%`, `%${hex}%`])
    found.push(...rows.map(({ row }) => `${name}: ${row.slice(0, 200)}`))
  }
  return found
}
