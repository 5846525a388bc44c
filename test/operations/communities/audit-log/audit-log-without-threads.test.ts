import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bodyOf, found, type TestGuild } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { openScene } from '../../support/scene.ts'

let home: TestGuild
const { connect, end } = connections()

const { guildhall, ada } = await openScene()
// An account without any session so far may not write.
await connect(guildhall, ada)
beforeEach(async () => {
  home = await found(guildhall, ada)
})
afterEach(end)

const withThreads = { 'x-service-features': 'channel_threads' }

const ask = (method: string, path: string, body?: object) =>
  guildhall.request(method, `/v1${path}`, { token: ada.token, headers: withThreads, ...(body ? { body } : {}) })

async function made(path: string, body: object): Promise<string> {
  return String(bodyOf(await ask('POST', path, body))['id'])
}

async function done(method: string, path: string, body?: object): Promise<void> {
  expect((await ask(method, path, body)).status).toBe(204)
}

async function writtenAndDeleted(channel: string): Promise<string> {
  const id = await made(`/channels/${channel}/messages`, { content: 'never mind' })
  await done('DELETE', `/channels/${channel}/messages/${id}`)
  return id
}

const startedIn = (channel: string) => made(`/channels/${channel}/threads`, { name: 'a thread', type: 11 })

/** The actions in the log, newest first. */
async function actions(headers: Readonly<Record<string, string>> = {}): Promise<readonly unknown[]> {
  const path = `/v1/guilds/${home.id}/audit-logs`
  const entries = bodyOf(await guildhall.request('GET', path, { token: ada.token, headers }))['audit_log_entries']
  return (entries as readonly Readonly<Record<string, unknown>>[]).map(({ action_type: type }) => type)
}

describe('a caller without thread access', () => {
  it('sees no entry of a forum that is gone', async () => {
    const forum = await made(`/guilds/${home.id}/channels`, { name: 'forum', type: 15 })
    await done('PUT', `/channels/${forum}/permissions/${home.id}`, { type: 0, deny: '2048' })
    await done('DELETE', `/channels/${forum}`)
    const text = await made(`/guilds/${home.id}/channels`, { name: 'text', type: 0 })
    await done('PUT', `/channels/${text}/permissions/${home.id}`, { type: 0, deny: '2048' })
    await done('DELETE', `/channels/${text}`)
    expect(await actions(withThreads)).toStrictEqual([12, 13, 10, 12, 13, 10])
    expect(await actions()).toStrictEqual([12, 13, 10])
  })

  it('sees no deletion of a message in a thread, whether or not the thread is still there', async () => {
    const gone = await startedIn(home.channel)
    await writtenAndDeleted(gone)
    await done('DELETE', `/channels/${gone}`)
    await writtenAndDeleted(await startedIn(home.channel))
    await writtenAndDeleted(home.channel)
    expect(await actions(withThreads)).toStrictEqual([72, 72, 110, 112, 72, 110])
    expect(await actions()).toStrictEqual([72])
  })

  it('hears of no deletion in a thread at the Gateway', async () => {
    const thread = await startedIn(home.channel)
    const { client: knowing } = await connect(guildhall, ada, { flags: 4 })
    const { client: plain } = await connect(guildhall, ada)
    const inThread = await writtenAndDeleted(thread)
    const inChannel = await writtenAndDeleted(home.channel)
    const next = async (client: typeof plain) => (await client.dispatch('GUILD_AUDIT_LOG_ENTRY_CREATE')).d
    expect(await next(knowing)).toMatchObject({ action_type: 72, target_id: inThread })
    expect(await next(plain)).toMatchObject({ action_type: 72, target_id: inChannel })
  })
})
