import { describe, expect, it } from 'vitest'
import { freshPolicy } from '../../../../domain/instance/fresh-policy.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { startTestGuildhall } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, crowd, expectFields, expectRefusal, found, invite, listOf } from '../../support/answers.ts'
import { deletionIsDue, erase } from '../../support/erasure.ts'
import { befriend, relationsOn, setFlags } from '../../support/relationships.ts'
import { openScene } from '../../support/scene.ts'
import { openChannelsOf, openDirect, privateChannelsOn } from './support.ts'

const { guildhall, ada, brian, carol } = await openScene()
const on = privateChannelsOn(guildhall)

describe('Create private channel with a recipient_id', () => {
  it('opens the direct messages only for the caller, and returns existing ones', async () => {
    const [one, other] = [await guildhall.register(), await guildhall.register()]
    const opened = bodyOf(await on.create(one, { recipient_id: other.id }))
    expect(opened).toStrictEqual({
      id: expect.stringMatching(/^\d+$/),
      type: 1,
      last_message_id: null,
      last_pin_timestamp: null,
      recipients: [expect.objectContaining({ id: other.id })],
    })
    expect(bodyOf(await on.create(one, { recipient_id: other.id }))).toStrictEqual(opened)
    expect(await openChannelsOf(guildhall, one)).toStrictEqual([opened['id']])
    expect(await openChannelsOf(guildhall, other)).toStrictEqual([])
    expect(bodyOf(await on.create(other, { recipient_id: one.id }))['id']).toBe(opened['id'])
    expect(await openChannelsOf(guildhall, other)).toStrictEqual([opened['id']])
  })

  it('creates one channel if both open it at once', async () => {
    const [one, other] = [await guildhall.register(), await guildhall.register()]
    const both = Array.from({ length: 6 }, (_, turn) =>
      turn % 2 === 0 ? openDirect(guildhall, one, other) : openDirect(guildhall, other, one),
    )
    expect(new Set(await Promise.all(both)).size).toBe(1)
    expect(await openChannelsOf(guildhall, one)).toStrictEqual(await openChannelsOf(guildhall, other))
  })

  it('refuses oneself, an unknown account, and anything but exactly one of the two', async () => {
    expectFields(await on.create(ada, { recipient_id: ada.id }), field('recipient_id', 'CANNOT_DM_YOURSELF'))
    expectRefusal(await on.create(ada, { recipient_id: '1' }), 404, 'UNKNOWN_USER')
    const both = { recipient_id: brian.id, recipients: [brian.id] }
    expectFields(await on.create(ada, both), field('recipients', 'INVALID_FORMAT'))
    expectFields(await on.create(ada, {}), field('recipients', 'AT_LEAST_ONE_RECIPIENT_REQUIRED'))
    expectFields(await on.create(ada, { recipient_id: 'x' }), field('recipient_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectRefusal(await guildhall.request('GET', '/v1/users/@me/channels'), 401, 'UNAUTHORIZED')
  })

  it('finds no erased account, but keeps the messages with it', async () => {
    const [one, gone, other] = [await guildhall.register(), await guildhall.register(), await guildhall.register()]
    const channel = await openDirect(guildhall, one, gone)
    await openDirect(guildhall, gone, one)
    await deletionIsDue(guildhall, gone)
    expect(await erase(guildhall, gone)).toBe(true)
    expectRefusal(await on.create(other, { recipient_id: gone.id }), 404, 'UNKNOWN_USER')
    expect(await openDirect(guildhall, one, gone)).toBe(channel)
    expect(bodyOf(await on.read(one, channel))['recipients']).toMatchObject([{ username: 'DeletedUser' }])
    expectRefusal(await on.write(one, channel, 'Hello?'), 400, 'CANNOT_SEND_MESSAGES_TO_USER')
  })
})

describe('a direct message', () => {
  it('cannot be found by a stranger', async () => {
    const channel = await openDirect(guildhall, ada, brian)
    for (const answer of [
      await on.read(carol, channel),
      await on.close(carol, channel),
      await on.write(carol, channel, 'x'),
    ])
      expectRefusal(answer, 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await on.change(carol, channel, { name: 'Mine' }), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await on.add(carol, channel, carol), 404, 'UNKNOWN_CHANNEL')
  })

  it('closes for the caller, and has nothing to change and nobody to add', async () => {
    const channel = await openDirect(guildhall, ada, brian)
    await openDirect(guildhall, brian, ada)
    expectRefusal(await on.change(ada, channel, { name: 'Ours' }), 400, 'INVALID_CHANNEL_TYPE')
    expectRefusal(await on.add(ada, channel, carol), 400, 'INVALID_CHANNEL_TYPE')
    expectRefusal(await on.remove(ada, channel, brian), 400, 'INVALID_CHANNEL_TYPE')
    expect((await on.close(ada, channel)).status).toBe(204)
    expect((await on.close(ada, channel)).status).toBe(204)
    expect(await openChannelsOf(guildhall, ada)).not.toContain(channel)
    expect(await openChannelsOf(guildhall, brian)).toContain(channel)
    expect(bodyOf(await on.read(ada, channel))['id']).toBe(channel)
  })

  it('opens for an account that closed it as soon as something is written', async () => {
    const [one, other] = [await guildhall.register(), await guildhall.register()]
    await befriend(guildhall, one, other)
    const channel = await openDirect(guildhall, one, other)
    await on.close(one, channel)
    const sent = bodyOf(await on.write(one, channel, 'Hello'))
    expect(sent).toMatchObject({ channel_id: channel, content: 'Hello', author: { id: one.id } })
    for (const each of [one, other]) {
      expect(await openChannelsOf(guildhall, each)).toContain(channel)
      expect((await on.messages(each, channel)).map(({ id }) => id)).toStrictEqual([sent['id']])
    }
    const [shown] = listOf(await on.list(other))
    expect(shown).toMatchObject({ id: channel, last_message_id: sent['id'] })
  })

  it('is possible between friends and members of a shared guild, but not with strangers', async () => {
    const [one, other] = [await guildhall.register(), await guildhall.register()]
    const channel = await openDirect(guildhall, one, other)
    expectRefusal(await on.write(one, channel, 'Hello'), 400, 'CANNOT_SEND_MESSAGES_TO_USER')
    const guild = await found(guildhall, one)
    await accept(guildhall, other, await invite(guildhall, one, guild.channel))
    bodyOf(await on.write(one, channel, 'Hello'))
    const restrict = (restricted: readonly string[]) =>
      guildhall.request('PATCH', '/v1/users/@me/settings', {
        token: other.token,
        body: { restricted_guilds: restricted },
      })
    bodyOf(await restrict([guild.id]))
    expectRefusal(await on.write(one, channel, 'Hello?'), 400, 'CANNOT_SEND_MESSAGES_TO_USER')
    bodyOf(await on.write(other, channel, 'I can'))
    await befriend(guildhall, one, other)
    bodyOf(await on.write(one, channel, 'Friends!'))
  })

  it('is not possible through a guild that was joined while the default was to refuse them', async () => {
    const [one, other] = [await guildhall.register(), await guildhall.register()]
    const body = { default_guilds_restricted: true }
    bodyOf(await guildhall.request('PATCH', '/v1/users/@me/settings', { token: other.token, body }))
    const guild = await found(guildhall, one)
    await accept(guildhall, other, await invite(guildhall, one, guild.channel))
    const chosen = bodyOf(await guildhall.request('GET', '/v1/users/@me/settings', { token: other.token }))
    expect(chosen['restricted_guilds']).toStrictEqual([guild.id])
    const channel = await openDirect(guildhall, one, other)
    expectRefusal(await on.write(one, channel, 'Hello'), 400, 'CANNOT_SEND_MESSAGES_TO_USER')
  })

  it('is not possible if either has blocked the other', async () => {
    const [one, other] = [await guildhall.register(), await guildhall.register()]
    await befriend(guildhall, one, other)
    const channel = await openDirect(guildhall, one, other)
    bodyOf(await relationsOn(guildhall).block(other, one))
    expectRefusal(await on.write(one, channel, 'Hello'), 400, 'CANNOT_SEND_MESSAGES_TO_USER')
    expectRefusal(await on.write(other, channel, 'Hello'), 400, 'CANNOT_SEND_MESSAGES_TO_USER')
  })
})

describe('personal notes', () => {
  it('are a channel with the owner’s own id, which nobody else finds and nobody closes', async () => {
    expect(bodyOf(await on.read(ada, ada.id))).toStrictEqual({
      id: ada.id,
      type: 999,
      last_message_id: null,
      last_pin_timestamp: null,
    })
    const note = bodyOf(await on.write(ada, ada.id, 'Buy punched cards'))
    expect(bodyOf(await on.read(ada, ada.id))['last_message_id']).toBe(note['id'])
    expectRefusal(await on.read(brian, ada.id), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await on.close(ada, ada.id), 400, 'CANNOT_EXECUTE_ON_DM')
  })
})

describe('an instance without direct messages', () => {
  it('opens none and accepts none, except from its staff', async () => {
    const community = { ...freshPolicy.community, directMessagesDisabled: true }
    const quiet = await startTestGuildhall({ policy: { community } })
    try {
      const { create } = privateChannelsOn(quiet)
      const [one, other, staff] = await crowd(quiet, 3)
      if (!one || !other || !staff) throw new Error('nobody came')
      await setFlags(quiet, staff, 'STAFF')
      expectRefusal(await create(one, { recipient_id: other.id }), 403, 'DIRECT_MESSAGES_DISABLED')
      expectRefusal(await create(one, { recipients: [other.id] }), 403, 'DIRECT_MESSAGES_DISABLED')
      const channel = await openDirect(quiet, staff, one)
      expectRefusal(await privateChannelsOn(quiet).write(one, channel, 'Hello'), 403, 'DIRECT_MESSAGES_DISABLED')
    } finally {
      await quiet.close()
    }
  })
})
