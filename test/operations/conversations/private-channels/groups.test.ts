import { describe, expect, it, vi } from 'vitest'
import { closeOldest } from '../../../../application/conversations/private-channels/close-oldest.ts'
import { accountId, channelId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { testContext } from '../../../support/test-context.ts'
import { accept, bodyOf, expectFields, expectRefusal, invite } from '../../support/answers.ts'
import { befriend, relationsOn } from '../../support/relationships.ts'
import {
  circle,
  groupsOf,
  idsOf,
  openChannelsOf,
  openDirect,
  openGroup,
  privateChannelsOn,
  recipientsIn,
  saidIn,
  threeFriends,
} from './support.ts'
import { openServer } from '../../support/scene.ts'

const limits = { max_group_dm_recipients: 4, max_group_dms_per_user: 3, max_private_channels_per_user: 4 }

const guildhall = await openServer({ limits })
const on = privateChannelsOn(guildhall)

describe('Create private channel with recipients', () => {
  it('creates a group of friends, which everybody in it finds, with a message for each', async () => {
    const [owner, one, other] = await threeFriends(guildhall)
    const made = await on.create(owner, { recipients: [one.id, other.id] })
    expect(bodyOf(made)).toStrictEqual({
      id: expect.stringMatching(/^\d+$/),
      type: 3,
      last_message_id: expect.stringMatching(/^\d+$/),
      last_pin_timestamp: null,
      recipients: expect.any(Array),
      icon: null,
      owner_id: owner.id,
    })
    expect(recipientsIn(made)).toStrictEqual(idsOf(one, other))
    const channel = String(bodyOf(made)['id'])
    for (const each of [owner, one, other]) expect(await groupsOf(guildhall, each)).toStrictEqual([channel])
    expect(recipientsIn(await on.read(one, channel))).toStrictEqual(idsOf(owner, other))
    const told = await saidIn(guildhall, other, channel)
    expect(told).toHaveLength(2)
    for (const { id } of [one, other])
      expect(told).toContainEqual({ type: 1, author: owner.id, mentions: [id], content: '' })
  })

  it('refuses accounts that cannot be added, and says why and which could be', async () => {
    const [owner, friend, blocking, aloof] = await circle(guildhall, 3)
    if (!friend || !blocking || !aloof) throw new Error('nobody came')
    const stranger = await guildhall.register()
    bodyOf(await relationsOn(guildhall).block(blocking, owner))
    const settings = { token: aloof.token, body: { group_dm_add_permission_flags: 16 } }
    bodyOf(await guildhall.request('PATCH', '/v1/users/@me/settings', settings))
    const refusedFor = async (...recipients: readonly string[]) => {
      const answer = await on.create(owner, { recipients })
      expectRefusal(answer, 400, 'GROUP_DM_RECIPIENTS_NOT_ADDABLE')
      return answer.body
    }
    expect(await refusedFor(friend.id, stranger.id, '1')).toMatchObject({
      unaddable_recipients: [
        { user_id: stranger.id, reason: 'not_friends' },
        { user_id: '1', reason: 'unknown_user' },
      ],
      addable_recipients: [friend.id],
    })
    expect(await refusedFor(blocking.id, aloof.id)).toMatchObject({
      unaddable_recipients: [
        { user_id: blocking.id, reason: 'blocked' },
        { user_id: aloof.id, reason: 'group_dm_add_disabled' },
      ],
      addable_recipients: [],
    })
    expect(await groupsOf(guildhall, friend)).toStrictEqual([])
  })

  it('refuses an account that is named twice, oneself, too many, and none', async () => {
    const [owner, friend] = await circle(guildhall, 1)
    const twice = { recipients: [friend.id, friend.id] }
    expectFields(await on.create(owner, twice), field('recipients', 'DUPLICATE_RECIPIENTS_NOT_ALLOWED'))
    const oneself = { recipients: [friend.id, owner.id] }
    expectFields(await on.create(owner, oneself), field('recipients', 'CANNOT_ADD_YOURSELF_TO_GROUP_DM'))
    const many = await on.create(owner, { recipients: ['1', '2', '3', '4'] })
    expectRefusal(many, 400, 'MAX_GROUP_DM_RECIPIENTS')
    expect(many.body).toMatchObject({ max_recipients: limits.max_group_dm_recipients })
    const tooLong = { recipients: Array.from({ length: 50 }, (_, index) => String(index + 1)) }
    expectFields(await on.create(owner, tooLong), field('recipients', 'INVALID_FORMAT'))
    expectFields(await on.create(owner, { recipients: [] }), field('recipients', 'AT_LEAST_ONE_RECIPIENT_REQUIRED'))
  })

  it('returns the last possible group again for the same Idempotency-Key', async () => {
    const [owner, friend] = await circle(guildhall, 1)
    for (let count = 1; count < limits.max_group_dms_per_user; count += 1) await openGroup(guildhall, owner, friend)
    const last = { token: owner.token, headers: { 'idempotency-key': 'last' }, body: { recipients: [friend.id] } }
    const ask = () => guildhall.request('POST', '/v1/users/@me/channels', last)
    const { privateChannels } = guildhall.ports.queries
    const reading = vi.spyOn(privateChannels, 'find').mockRejectedValue(new Error('the process dies'))
    expect((await ask()).status).toBe(500)
    reading.mockRestore()
    const channel = String(bodyOf(await ask())['id'])
    expect(await groupsOf(guildhall, owner)).toContain(channel)
    expect(await groupsOf(guildhall, owner)).toHaveLength(limits.max_group_dms_per_user)
  })

  it('lets an account into as many groups as the limit says, however many ask at once', async () => {
    const [owner, friend] = await circle(guildhall, 1)
    const answers = await Promise.all(Array.from({ length: 6 }, () => on.create(owner, { recipients: [friend.id] })))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(3)
    for (const answer of refused) {
      expectRefusal(answer, 400, 'MAX_GROUP_DMS')
      expect(answer.body).toMatchObject({ max_group_dms: limits.max_group_dms_per_user })
    }
    expect(await groupsOf(guildhall, friend)).toHaveLength(3)
    const [another, first] = await circle(guildhall, 1)
    await befriend(guildhall, another, friend)
    expectRefusal(await on.create(another, { recipients: [first.id, friend.id] }), 400, 'MAX_GROUP_DMS')
    expect(await groupsOf(guildhall, first)).toStrictEqual([])
    const channel = await openGroup(guildhall, another, first)
    expectRefusal(await on.add(another, channel, friend), 400, 'MAX_GROUP_DMS')
    expect((await accept(guildhall, friend, await invite(guildhall, another, channel))).status).toBe(200)
    expect(await groupsOf(guildhall, friend)).toHaveLength(4)
  })
})

describe('Add group recipient', () => {
  it('adds a friend of the caller, who is a recipient from then on', async () => {
    const [owner, one, other] = await threeFriends(guildhall)
    const channel = await openGroup(guildhall, owner, one)
    expect((await on.add(one, channel, other)).status).toBe(204)
    expect((await on.add(one, channel, other)).status).toBe(204)
    expect(recipientsIn(await on.read(other, channel))).toStrictEqual(idsOf(owner, one))
    const [newest, ...earlier] = await saidIn(guildhall, other, channel)
    expect(newest).toStrictEqual({ type: 1, author: one.id, mentions: [other.id], content: '' })
    expect(earlier).toHaveLength(1)
    bodyOf(await on.write(other, channel, 'Hello'))
  })

  it('refuses non-members of the group, and those who are not friends', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const stranger = await guildhall.register()
    const channel = await openGroup(guildhall, owner, one)
    expectRefusal(await on.add(stranger, channel, stranger), 403, 'MISSING_ACCESS')
    expectRefusal(await on.add(owner, '1', one), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await on.add(owner, owner.id, one), 400, 'INVALID_CHANNEL_TYPE')
    expectRefusal(await on.add(owner, channel, stranger), 400, 'NOT_FRIENDS_WITH_USER')
    expectRefusal(await on.add(owner, channel, { id: '1' }), 404, 'UNKNOWN_USER')
    await befriend(guildhall, owner, stranger)
    const settings = { token: stranger.token, body: { group_dm_add_permission_flags: 16 } }
    bodyOf(await guildhall.request('PATCH', '/v1/users/@me/settings', settings))
    const aloof = await on.add(owner, channel, stranger)
    expectRefusal(aloof, 400, 'GROUP_DM_RECIPIENTS_NOT_ADDABLE')
    expect(aloof.body).toMatchObject({
      unaddable_recipients: [{ user_id: stranger.id, reason: 'group_dm_add_disabled' }],
    })
  })

  it('never fills a group beyond its limit, however many are added at once', async () => {
    const [owner, ...friends] = await circle(guildhall, 6)
    const [first, ...rest] = friends
    const channel = await openGroup(guildhall, owner, first)
    const answers = await Promise.all(rest.map((friend) => on.add(owner, channel, friend)))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(2)
    for (const answer of answers.filter(({ status }) => status !== 204)) {
      expectRefusal(answer, 400, 'MAX_GROUP_DM_RECIPIENTS')
      expect(answer.body).toMatchObject({ max_recipients: limits.max_group_dm_recipients })
    }
    expect(recipientsIn(await on.read(owner, channel))).toHaveLength(3)
  })
})

describe('Remove group recipient', () => {
  it('is for the owner, and for oneself', async () => {
    const [owner, one, other] = await threeFriends(guildhall)
    const channel = await openGroup(guildhall, owner, one, other)
    expectRefusal(await on.remove(one, channel, other), 403, 'MISSING_PERMISSIONS')
    expectFields(await on.remove(owner, channel, { id: '1' }), field('user_id', 'USER_NOT_IN_CHANNEL'))
    expect((await on.remove(owner, channel, other)).status).toBe(204)
    expectRefusal(await on.read(other, channel), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await on.remove(other, channel, other), 403, 'MISSING_ACCESS')
    expect((await saidIn(guildhall, one, channel))[0]).toStrictEqual({
      type: 2,
      author: owner.id,
      mentions: [other.id],
      content: '',
    })
    expect((await on.remove(one, channel, one, '?silent=true')).status).toBe(204)
    expect((await saidIn(guildhall, owner, channel))[0]).toMatchObject({ mentions: [other.id] })
  })
})

describe('a group, in a race', () => {
  it('is left once, even if the member is also removed', async () => {
    const [owner, one, other] = await threeFriends(guildhall)
    const channel = await openGroup(guildhall, owner, one, other)
    const leaving = await Promise.all([on.close(one, channel), on.close(one, channel)])
    expect(new Set(leaving.map(({ status }) => status))).toStrictEqual(new Set([204, 404]))
    const removing = await Promise.all([on.remove(owner, channel, other), on.remove(owner, channel, other)])
    expect(new Set(removing.map(({ status }) => status))).toStrictEqual(new Set([204, 400]))
    const told = await saidIn(guildhall, owner, channel)
    expect(told.filter(({ type }) => type === 2).map(({ mentions }) => mentions)).toStrictEqual([[other.id], [one.id]])
  })

  it('has an owner who is a recipient, even if the new owner leaves', async () => {
    const [owner, one, other] = await threeFriends(guildhall)
    const channel = await openGroup(guildhall, owner, one, other)
    const [given, left] = await Promise.all([on.change(owner, channel, { owner_id: one.id }), on.close(one, channel)])
    expect([given.status === 200 || given.status === 400, left.status]).toStrictEqual([true, 204])
    const now = await on.read(other, channel)
    expect(recipientsIn(now)).toStrictEqual([owner.id])
    expect([owner.id, other.id]).toContain(bodyOf(now)['owner_id'])
  })

  it('gets a recipient once if two add the same one at once', async () => {
    const [owner, one, other] = await threeFriends(guildhall)
    const channel = await openGroup(guildhall, owner, one)
    const adding = await Promise.all([on.add(owner, channel, other), on.add(one, channel, other)])
    expect(adding.map(({ status }) => status)).toStrictEqual([204, 204])
    const told = await saidIn(guildhall, owner, channel)
    expect(told.filter(({ mentions }) => mentions.includes(other.id))).toHaveLength(1)
  })
})

describe('max_private_channels_per_user', () => {
  it('closes the channel without messages for longest when another one is opened, and refuses nobody', async () => {
    const [owner, one, two, ...others] = await circle(guildhall, 4)
    if (!two) throw new Error('nobody came')
    const channels: string[] = []
    for (const friend of [one, two, ...others]) channels.push(await openDirect(guildhall, owner, friend))
    const [first = '', second = '', third = '', fourth = ''] = channels
    const expectOpen = async (...open: readonly string[]) =>
      expect(new Set(await openChannelsOf(guildhall, owner))).toStrictEqual(new Set(open))
    await expectOpen(first, second, third, fourth)
    bodyOf(await on.write(one, first, 'Hello'))
    const fifth = await openDirect(guildhall, owner, await guildhall.register())
    await expectOpen(first, third, fourth, fifth)
    expect(await openChannelsOf(guildhall, two)).toStrictEqual([second])
    const group = await openGroup(guildhall, owner, one)
    await expectOpen(first, fourth, fifth, group)
    bodyOf(await on.write(two, second, 'Still here'))
    await expectOpen(first, second, fifth, group)
    const strangers = [await guildhall.register(), await guildhall.register()]
    const opened = await Promise.all(strangers.map((stranger) => openDirect(guildhall, owner, stranger)))
    await expectOpen(second, group, ...opened)
  })

  it('closes nothing in place of a channel that another opening has closed since it was counted', async () => {
    const [owner, ...friends] = await circle(guildhall, 4)
    const channels = await Promise.all(friends.map((friend) => openDirect(guildhall, owner, friend)))
    const [opened] = channels
    const { ports } = guildhall
    const { privateChannels } = ports.queries
    const counted = { ...privateChannels, openCountOf: () => Promise.resolve(limits.max_private_channels_per_user + 2) }
    const then = { ...ports, queries: { ...ports.queries, privateChannels: counted } }
    await closeOldest(then, [accountId(snowflake(owner.id))], channelId(snowflake(String(opened))), testContext())
    expect(new Set(await openChannelsOf(guildhall, owner))).toStrictEqual(new Set(channels))
  })
})

describe('Delete channel of a group', () => {
  it('leaves it; one of the others then owns it', async () => {
    const [owner, one, other] = await threeFriends(guildhall)
    const channel = await openGroup(guildhall, owner, one, other)
    expect((await on.close(owner, channel)).status).toBe(204)
    const successor = bodyOf(await on.read(one, channel))['owner_id']
    expect(idsOf(one, other)).toContain(successor)
    expect((await saidIn(guildhall, one, channel))[0]).toStrictEqual({
      type: 2,
      author: owner.id,
      mentions: [owner.id],
      content: '',
    })
    expect((await on.close(one, channel, '?silent=1')).status).toBe(204)
    expect((await saidIn(guildhall, other, channel))[0]).toMatchObject({ mentions: [owner.id] })
    expect(bodyOf(await on.read(other, channel))['owner_id']).toBe(other.id)
  })

  it('ends it when the last one leaves, with all its messages', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const channel = await openGroup(guildhall, owner, one)
    bodyOf(await on.write(owner, channel, 'Farewell'))
    expect((await on.close(owner, channel)).status).toBe(204)
    expect((await on.close(one, channel)).status).toBe(204)
    expectRefusal(await on.read(one, channel), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await on.add(one, channel, owner), 404, 'UNKNOWN_CHANNEL')
    expect((await guildhall.ports.messages.page(channel as never, { limit: 100 })).length).toBe(0)
  })
})
