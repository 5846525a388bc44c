import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../process/roles/role.ts'
import { bodyOf } from '../operations/support/answers.ts'
import { connections } from '../operations/support/connected.ts'
import { natsIsMissing, natsSuite } from '../support/nats-server.ts'
import { sharedServers } from '../support/shared-servers.ts'
import { startTestGuildhall, type TestGuildhall } from '../support/test-guildhall.ts'

describe.skipIf(natsIsMissing !== undefined)(natsSuite('settings, where the Gateway is another process'), () => {
  const closing: (() => Promise<unknown>)[] = []
  const { connect, end } = connections()
  let api: TestGuildhall
  let gateway: TestGuildhall

  beforeAll(async () => {
    const shared = await sharedServers(closing)
    const open = async (role: Role): Promise<TestGuildhall> => {
      const opened = await startTestGuildhall({ ...shared, roles: [role] })
      closing.push(() => opened.close())
      return opened
    }
    await open('projector')
    gateway = await open('gateway')
    api = await open('api')
  })
  afterAll(async () => {
    end()
    for (const close of closing.toReversed()) await close()
  })

  it('are announced with their personal parts, which no event carries between processes, and again if nothing changes', async () => {
    const ada = await api.register()
    const { client } = await connect(gateway, ada)
    const body = { theme: 'coal', custom_status: { text: 'busy' }, synced_preferences: 'AAAA' }
    const change = () => api.request('PATCH', '/v1/users/@me/settings', { token: ada.token, body })
    const after = bodyOf(await change())
    expect(after).toMatchObject({ custom_status: { text: 'busy' }, synced_preferences: 'AAAA' })
    expect((await client.dispatch('USER_SETTINGS_UPDATE')).d).toStrictEqual(after)
    await change()
    expect((await client.dispatch('USER_SETTINGS_UPDATE')).d).toStrictEqual(after)
    const mute = { token: ada.token, body: { muted: true } }
    const muted = bodyOf(await api.request('PATCH', '/v1/users/@me/guilds/@me/settings', mute))
    expect((await client.dispatch('USER_GUILD_SETTINGS_UPDATE')).d).toStrictEqual(muted)
    await api.request('PATCH', '/v1/users/@me/guilds/@me/settings', mute)
    expect((await client.dispatch('USER_GUILD_SETTINGS_UPDATE')).d).toStrictEqual(muted)
  })
})
