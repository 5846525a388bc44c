import { afterAll, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { permissionBits } from '../../../../domain/permissions/permission-bits.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectFields, expectRefusal, invite } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { guildsOf, nowhere, setFeatures } from '../../support/guilds.ts'
import { letEveryone, mask, sent } from '../../support/messages.ts'
import { asBearer, newClient, tokensFor } from '../../support/oauth2.ts'
import { setFlags } from '../../support/relationships.ts'
import { foundWith, openScene } from '../../support/scene.ts'
import { threadsHeader } from '../../support/threads.ts'

/** Get guild, and the members of the guild object that only it fills. */

const { connect, end } = connections()

const { guildhall, ada, brian, carol, home } = await openScene()
const guilds = guildsOf(guildhall)
afterAll(end)

const channelsOf = async (account: TestAccount, headers = {}) => {
  const { channels } = bodyOf(await guilds.get(account, home.id, headers))
  return channels as readonly Readonly<Record<string, unknown>>[]
}

describe('the guild', () => {
  it('has roles, viewable channels and counts, and no permissions', async () => {
    const body = bodyOf(await guilds.get(brian, home.id))
    expect(body).toMatchObject({ id: home.id, member_count: 2, online_count: 0, emojis: [], stickers: [] })
    for (const member of ['permissions', 'approximate_member_count', 'threads_active'])
      expect(body).not.toHaveProperty(member)
    expect(body['roles']).toMatchObject([{ id: home.id, name: '@everyone', hoist_position: null }])
    const channels = (await channelsOf(brian)).toSorted((one, other) =>
      String(one['name']).localeCompare(String(other['name']), 'en'),
    )
    expect(channels).toMatchObject([
      { name: 'general', type: 0, id: home.channel },
      { name: 'General', type: 2, bitrate: 64_000 },
      { name: 'Text Channels', type: 4 },
      { name: 'Voice Channels', type: 4 },
    ])
  })

  it('has the counts of this moment', async () => {
    const { client } = await connect(guildhall, brian)
    expect(bodyOf(await guilds.get(ada, home.id))).toMatchObject({ member_count: 2, online_count: 1 })
    await accept(guildhall, carol, await invite(guildhall, ada, home.channel))
    expect(bodyOf(await guilds.get(ada, home.id))).toMatchObject({ member_count: 3 })
    await guilds.leave(carol, home.id)
    client.socket.terminate()
    expect(bodyOf(await guilds.get(ada, home.id))).toMatchObject({ member_count: 2 })
  })

  it('is answered anew where a message, a channel out of sight or a name has changed it, however often it was read before', async () => {
    const { request } = guildhall
    const path = `/v1/channels/${home.channel}`
    const read = async (account: TestAccount) => {
      const answers = [await guilds.get(account, home.id), await guilds.get(account, home.id)].map(bodyOf)
      expect(answers[1]).toStrictEqual(answers[0])
      const { name, channels } = answers[1] as { name: unknown; channels: readonly Readonly<Record<string, unknown>>[] }
      const text = channels.find(({ id }) => id === home.channel)
      return { name, last: text?.['last_message_id'], ids: channels.map(({ id }) => id) }
    }
    const before = await read(brian)
    const message = await sent(guildhall, ada, home.channel, 'hello')
    expect(await read(brian)).toStrictEqual({ ...before, last: message })
    const hidden = { permission_overwrites: [{ id: home.id, type: 0, allow: '0', deny: mask('VIEW_CHANNEL') }] }
    expect((await request('PATCH', path, { token: ada.token, body: hidden })).status).toBe(200)
    expect((await read(brian)).ids).toStrictEqual(before.ids.filter((id) => id !== home.channel))
    expect((await read(ada)).ids).toStrictEqual(before.ids)
    await request('PATCH', path, { token: ada.token, body: { permission_overwrites: [] } })
    expect((await request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, body: { name: 'Away' } })).status).toBe(
      200,
    )
    expect(await read(brian)).toStrictEqual({ ...before, name: 'Away', last: message })
  })

  it('has the channels that the caller can view now: forums and media channels without a declaration too, threads never', async () => {
    const make = async (type: number) => {
      const body = { name: `of type ${type}`, type }
      const path = `/v1/guilds/${home.id}/channels`
      const made = await guildhall.request('POST', path, { token: ada.token, body, headers: threadsHeader })
      return String(bodyOf(made)['id'])
    }
    const [hidden, forum, media] = [await make(0), await make(15), await make(16)]
    await letEveryone(guildhall, ada, home, hidden, { deny: ['VIEW_CHANNEL'] })
    const started = await guildhall.request('POST', `/v1/channels/${home.channel}/threads`, {
      token: ada.token,
      headers: threadsHeader,
      body: { name: 'Chatter', type: 11 },
    })
    const thread = bodyOf(started)['id']
    for (const headers of [{}, threadsHeader]) {
      const ids = (await channelsOf(brian, headers)).map(({ id }) => id)
      expect(ids).toStrictEqual(expect.arrayContaining([forum, media, home.channel]))
      expect(ids).not.toContain(hidden)
      expect(ids).not.toContain(thread)
    }
    expect((await channelsOf(ada)).map(({ id }) => id)).toContain(hidden)
  })

  it('includes thread permissions of roles only for clients that declare to understand threads', async () => {
    const everyone = async (headers = {}) => {
      const { roles } = bodyOf(await guilds.get(ada, home.id, headers))
      return (roles as readonly { readonly permissions: string }[]).map(({ permissions }) => permissions)[0]
    }
    const set = 8_933_636_165_185n | (1n << 54n)
    const { CREATE_PUBLIC_THREADS, CREATE_PRIVATE_THREADS, SEND_MESSAGES_IN_THREADS } = permissionBits
    const ofThreads = CREATE_PUBLIC_THREADS | CREATE_PRIVATE_THREADS | SEND_MESSAGES_IN_THREADS
    expect(await everyone()).toBe(set.toString())
    expect(await everyone({ 'x-service-features': 'x, Channel_Threads' })).toBe((set | ofThreads).toString())
  })
})

describe('a caller is refused', () => {
  it('with an unknown guild, as a stranger, with an invalid id, or without a credential', async () => {
    expectRefusal(await guilds.get(ada, nowhere), 404, 'UNKNOWN_GUILD')
    expectRefusal(await guilds.get(ada, '0'), 404, 'UNKNOWN_GUILD')
    expectRefusal(await guilds.get(carol, home.id), 403, 'MISSING_PERMISSIONS')
    expectFields(await guilds.get(ada, 'home'), field('guild_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectFields(await guilds.get(ada, `0${home.id}`), field('guild_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectFields(await guilds.get(ada, '9223372036854775808'), field('guild_id', 'SNOWFLAKE_OUT_OF_RANGE'))
    expectRefusal(await guildhall.request('GET', `/v1/guilds/${home.id}`), 401, 'UNAUTHORIZED')
  })

  it('as an application without the scope guilds', async () => {
    const engine = await newClient(guildhall, ada)
    const bearer = async (scope: string) => ({ token: asBearer(await tokensFor(guildhall, brian, engine, scope)) })
    const refused = await guilds.get(await bearer('identify'), home.id)
    expectRefusal(refused, 403, 'MISSING_OAUTH_SCOPE')
    expect(refused.body).toMatchObject({ required_scope: 'guilds' })
    expect(bodyOf(await guilds.get(await bearer('guilds'), home.id))).toMatchObject({ id: home.id, member_count: 2 })
  })

  it('while the guild is unavailable for everyone, even before a stranger is refused as one', async () => {
    const shut = await foundWith(guildhall, ada, brian)
    await setFeatures(guildhall, shut.id, 'UNAVAILABLE_FOR_EVERYONE')
    for (const account of [ada, brian, carol]) expectRefusal(await guilds.get(account, shut.id), 403, 'MISSING_ACCESS')
  })

  it('while it is unavailable for everyone except staff, unless the caller is staff', async () => {
    const shut = await foundWith(guildhall, ada, brian)
    await setFeatures(guildhall, shut.id, 'UNAVAILABLE_FOR_EVERYONE_BUT_STAFF')
    await setFlags(guildhall, brian, 'STAFF')
    expectRefusal(await guilds.get(ada, shut.id), 403, 'MISSING_ACCESS')
    expect((await guilds.get(brian, shut.id)).status).toBe(200)
  })
})
