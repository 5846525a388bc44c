import { beforeEach, describe, expect, it } from 'vitest'
import { channelId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { permissionBits } from '../../../../domain/permissions/permission-bits.ts'
import { accept, bodyOf, expectFields, expectRefusal, invite, listOf, type TestGuild } from '../../support/answers.ts'
import { channelRequests } from '../../support/channel-requests.ts'
import { foundWith, openScene } from '../../support/scene.ts'

/** Ada's guild, with Brian in it; every test has its own. */
let home: TestGuild

const { guildhall, ada, brian, carol } = await openScene()
beforeEach(async () => {
  home = await foundWith(guildhall, ada, brian)
})

const nowhere = '1'
const { send, path, list, read, change, remove, made, allow, setFeatures, entriesOf } = channelRequests(() => ({
  guildhall,
  ada,
  home,
}))
const hide = async (id: string) => {
  const body = { type: 0, deny: permissionBits.VIEW_CHANNEL.toString() }
  expect((await send(ada, 'PUT', `/v1/channels/${id}/permissions/${home.id}`, body)).status).toBe(204)
}

describe('List guild channels and Get channel', () => {
  it('show what the caller can view', async () => {
    const hidden = await made({ type: 0, name: 'hidden' })
    await hide(hidden)
    expect((await list(brian)).map(({ name }) => name)).toStrictEqual([
      'Text Channels',
      'general',
      'General',
      'Voice Channels',
    ])
    expect((await list(ada)).map(({ id }) => id)).toContain(hidden)
    expectRefusal(await read(brian, hidden), 403, 'MISSING_PERMISSIONS')
    expect(bodyOf(await read(brian, home.channel))).toMatchObject({ id: home.channel, guild_id: home.id })
    expectRefusal(await read(carol, home.channel), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await read(brian, nowhere), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await send(carol, 'GET', path()), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await send(ada, 'GET', path(nowhere)), 404, 'UNKNOWN_GUILD')
  })

  it('refuse a channel for adults to minors, by its own mark or the override of the guild', async () => {
    const born = { date_of_birth: '2010-12-10', consent: true }
    const form = { email: `${home.id}@example.com`, password: `pass ${home.id}`, username: `u${home.id}`, ...born }
    const { token } = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: form }))
    const young = { ...carol, token: String(token) }
    await accept(guildhall, young, await invite(guildhall, ada, home.channel))
    expect((await read(young, home.channel)).status).toBe(200)
    for (const mark of [{ nsfw: true }, { nsfw: false, nsfw_override: true }]) {
      await change(ada, home.channel, mark)
      expectRefusal(await read(young, home.channel), 403, 'NSFW_CONTENT_AGE_RESTRICTED')
      expect((await read(brian, home.channel)).status).toBe(200)
    }
  })

  it('refuse an unavailable guild', async () => {
    await setFeatures('UNAVAILABLE_FOR_EVERYONE')
    for (const [method, at] of [
      ['GET', path()],
      ['GET', `/v1/channels/${home.channel}`],
      ['DELETE', `/v1/channels/${home.channel}`],
    ] as const)
      expectRefusal(await send(ada, method, at), 403, 'MISSING_ACCESS')
  })
})

describe('Modify channel', () => {
  it('changes what is given, and records what differs', async () => {
    const changed = bodyOf(
      await change(ada, home.channel, { name: 'Talk', topic: 'All', nsfw_override: false, type: 5 }),
    )
    expect(changed).toMatchObject({ name: 'talk', topic: 'All', nsfw_override: false, type: 5, nsfw: false })
    expect(bodyOf(await read(ada, home.channel))).toStrictEqual(changed)
    expect(bodyOf(await change(ada, home.channel, { nsfw_override: null }))['nsfw_override']).toBeNull()
    expect(bodyOf(await change(ada, home.channel, {}))['name']).toBe('talk')
    expect(await entriesOf(11)).toMatchObject([
      {
        target_id: home.channel,
        options: { type: 5 },
        changes: [
          { key: 'name', old_value: 'general', new_value: 'talk' },
          { key: 'topic', old_value: null, new_value: 'All' },
          { key: 'type', old_value: 0, new_value: 5 },
        ],
      },
    ])
  })

  it('is refused without MANAGE_CHANNELS, and a region without UPDATE_RTC_REGION', async () => {
    expectRefusal(await change(brian, home.channel, {}), 403, 'MISSING_PERMISSIONS')
    await allow('MANAGE_CHANNELS')
    const voice = await made({ type: 2 })
    expect(bodyOf(await change(brian, voice, { user_limit: 5 }))['user_limit']).toBe(5)
    expect(bodyOf(await change(brian, voice, { rtc_p2p: true, user_limit: null }))).toMatchObject({
      rtc_p2p: true,
      user_limit: 5,
    })
    expect(bodyOf(await change(brian, voice, { rtc_p2p: false }))['rtc_p2p']).toBe(false)
    expect(await entriesOf(11)).toMatchObject([
      { changes: [{ key: 'rtc_p2p', old_value: true, new_value: false }] },
      { changes: [{ key: 'rtc_p2p', old_value: false, new_value: true }] },
      { changes: [{ key: 'user_limit', old_value: 0, new_value: 5 }] },
    ])
    expectRefusal(await change(brian, voice, { rtc_region: 'europe' }), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await change(ada, voice, { type: 0 }), 400, 'CHANNEL_TYPE_CONVERSION_NOT_SUPPORTED')
    expectFields(await change(ada, voice, { user_limit: 100 }), field('user_limit', 'INVALID_FORMAT'))
    expectRefusal(await change(ada, nowhere, {}), 404, 'UNKNOWN_CHANNEL')
  })
})

describe('Delete channel', () => {
  it('sends its children to the root, and clears what names it', async () => {
    const [category] = await list()
    expect((await remove(ada, String(category?.['id']))).status).toBe(204)
    expect((await list()).find(({ id }) => id === home.channel)).toMatchObject({ parent_id: null })
    expect((await remove(ada, home.channel)).status).toBe(204)
    expect(bodyOf(await send(ada, 'GET', `/v1/guilds/${home.id}`))['system_channel_id']).toBeNull()
    expectRefusal(await remove(ada, home.channel), 404, 'UNKNOWN_CHANNEL')
    expect(await entriesOf(12)).toMatchObject([
      { target_id: home.channel, options: { type: 0 } },
      { target_id: category?.['id'], changes: expect.arrayContaining([{ key: 'name', old_value: 'Text Channels' }]) },
    ])
  })

  it('is refused without MANAGE_CHANNELS in it', async () => {
    expectRefusal(await remove(brian, home.channel), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await remove(carol, home.channel), 403, 'MISSING_PERMISSIONS')
  })

  it('first removes the caller’s messages in a private channel, if delete_messages asks for it and sudo mode is proved', async () => {
    const [one, other] = [await guildhall.register(), await guildhall.register()]
    await accept(guildhall, one, await invite(guildhall, ada, home.channel))
    await accept(guildhall, other, await invite(guildhall, ada, home.channel))
    const { id } = bodyOf(await send(one, 'POST', '/v1/users/@me/channels', { recipient_id: other.id }))
    const at = `/v1/channels/${String(id)}`
    for (const [author, content] of [
      [one, 'mine'],
      [other, 'yours'],
      [one, 'mine too'],
    ] as const)
      expect((await send(author, 'POST', `${at}/messages`, { content })).status).toBe(200)
    const contents = async () => listOf(await send(other, 'GET', `${at}/messages`)).map(({ content }) => content)
    expectRefusal(await send(one, 'DELETE', `${at}?delete_messages=true`), 403, 'SUDO_MODE_REQUIRED')
    expect((await send(one, 'DELETE', at)).status).toBe(204)
    expect(await contents()).toStrictEqual(['mine too', 'yours', 'mine'])
    const proof = { password: one.password }
    expect((await send(one, 'DELETE', `${at}?delete_messages=true`, proof)).status).toBe(204)
    expect(await contents()).toStrictEqual(['yours'])
    expectRefusal(await send(one, 'DELETE', `/v1/channels/${one.id}?delete_messages=1`), 400, 'CANNOT_EXECUTE_ON_DM')
  })

  it('leaves its invites without a channel: accepting one still joins the guild', async () => {
    const code = await invite(guildhall, ada, home.channel, { max_uses: 1 })
    await remove(ada, home.channel)
    expectRefusal(await guildhall.request('GET', `/v1/invites/${code}`), 404, 'UNKNOWN_CHANNEL')
    const joiner = await guildhall.register()
    expectRefusal(await accept(guildhall, joiner, code), 404, 'UNKNOWN_CHANNEL')
    expect((await send(joiner, 'GET', `/v1/guilds/${home.id}`)).status).toBe(200)
    expectRefusal(await accept(guildhall, carol, code), 404, 'UNKNOWN_INVITE')
  })

  it('deletes its messages permanently, as does deleting the guild', async () => {
    const write = (channel: string) => send(ada, 'POST', `/v1/channels/${channel}/messages`, { content: 'secret' })
    const lastIn = async (id: string) => (await guildhall.ports.messages.lastOf([channelId(snowflake(id))])).size
    const second = await made({ type: 0 })
    for (const channel of [home.channel, second]) expect((await write(channel)).status).toBe(200)
    expect([await lastIn(home.channel), await lastIn(second)]).toStrictEqual([1, 1])
    await remove(ada, second)
    await expect.poll(() => lastIn(second)).toBe(0)
    expect(await lastIn(home.channel)).toBe(1)
    const proof = { password: ada.password }
    expect((await send(ada, 'POST', `/v1/guilds/${home.id}/delete`, proof)).status).toBe(204)
    await expect.poll(() => lastIn(home.channel)).toBe(0)
  })
})
