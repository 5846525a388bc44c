import { describe, expect, it } from 'vitest'
import { finishUnfinished } from '../../../../application/processes/finish-unfinished.ts'
import { accountId as asAccountId, channelId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, crowd, expectFields, expectRefusal } from '../../support/answers.ts'
import { deletionIsDue, erase, everyEvent, everyRow } from '../../support/erasure.ts'
import { befriend } from '../../support/relationships.ts'
import { circle, groupsOf, openGroup, privateChannelsOn, recipientsIn, saidIn, threeFriends } from './support.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer({})
const on = privateChannelsOn(guildhall)

describe('Modify channel of a group', () => {
  it('renames it and its recipients, and announces a new name', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const channel = await openGroup(guildhall, owner, one)
    const named = bodyOf(await on.change(one, channel, { name: ' Engine room ', nicks: { [one.id]: 'Chief' } }))
    expect(named).toMatchObject({ name: 'Engine room', nicks: { [one.id]: 'Chief' }, owner_id: owner.id })
    expect((await saidIn(guildhall, owner, channel))[0]).toStrictEqual({
      type: 4,
      author: one.id,
      mentions: [],
      content: 'Engine room',
    })
    const count = (await on.messages(owner, channel)).length
    bodyOf(await on.change(one, channel, { name: 'Engine room', nicks: { [one.id]: 'Chief' } }))
    expect(await on.messages(owner, channel)).toHaveLength(count)
    const cleared = bodyOf(await on.change(owner, channel, { name: null, nicks: { [one.id]: null } }))
    expect(cleared).not.toHaveProperty('name')
    expect(cleared).not.toHaveProperty('nicks')
  })

  it('transfers it to another recipient, only by its owner', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const channel = await openGroup(guildhall, owner, one)
    expectRefusal(await on.change(one, channel, { owner_id: one.id }), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await on.change(one, channel, { nicks: { [owner.id]: 'Boss' } }), 403, 'MISSING_PERMISSIONS')
    expectFields(await on.change(owner, channel, { owner_id: '1' }), field('owner_id', 'USER_NOT_IN_CHANNEL'))
    expectFields(await on.change(owner, channel, { nicks: { '1': 'Boss' } }), field('nicks.1', 'USER_NOT_IN_CHANNEL'))
    expectFields(await on.change(owner, channel, { name: '' }), field('name', 'STRING_LENGTH_INVALID'))
    expect(bodyOf(await on.change(owner, channel, { owner_id: one.id }))['owner_id']).toBe(one.id)
    expectRefusal(await on.remove(owner, channel, one), 403, 'MISSING_PERMISSIONS')
  })
})

describe('a group', () => {
  it('lets its recipients see each other’s profiles', async () => {
    const [owner, one, other] = await circle(guildhall, 2)
    if (!one || !other) throw new Error('nobody came')
    const profileOf = ({ id }: TestAccount) => guildhall.request('GET', `/v1/users/${id}/profile`, { token: one.token })
    expectRefusal(await profileOf(other), 403, 'MISSING_ACCESS')
    await openGroup(guildhall, owner, one, other)
    expect((await profileOf(other)).status).toBe(200)
  })

  it('limits an account to ten new groups and ten added recipients an hour', async () => {
    const limited = await openServer('limited')
    const { create, add } = privateChannelsOn(limited)
    const [owner, friend] = await crowd(limited, 2)
    if (!owner || !friend) throw new Error('nobody came')
    await befriend(limited, owner, friend)
    const made = await Promise.all(Array.from({ length: 11 }, () => create(owner, { recipients: [friend.id] })))
    expect(made.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = made.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({ code: 'RATE_LIMITED', global: false, retry_after: expect.any(Number) })
    const [channel] = await groupsOf(limited, friend)
    const added = await Promise.all(Array.from({ length: 11 }, () => add(owner, String(channel), friend)))
    expect(added.filter(({ status }) => status === 204)).toHaveLength(10)
    expect(added.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})

describe('the messages of a group that has ended', () => {
  it('are deleted later if the process died with which the last one left', async () => {
    const [owner, friend] = await circle(guildhall, 1)
    const id = channelId(snowflake(await openGroup(guildhall, owner, friend)))
    expect((await on.remove(owner, id, friend)).status).toBe(204)
    bodyOf(await on.write(owner, id, 'Farewell'))
    const { aggregates, messages, readModels } = guildhall.ports
    const accountId = asAccountId(snowflake(owner.id))
    const context = testContext({ kind: 'account', id: accountId })
    await aggregates.privateChannel.execute(id, { type: 'RemoveRecipient', accountId, by: accountId, lot: 0 }, context)
    await readModels.reached(context.written)
    expect(await messages.page(id, { limit: 100 })).toHaveLength(3)
    const later = timestamp(Date.now() + 120_000)
    expect(await finishUnfinished(guildhall.ports)(later, later)).toMatchObject({ failures: [] })
    expect(await messages.page(id, { limit: 100 })).toStrictEqual([])
    expect((await aggregates.privateChannel.load(id)).state).toStrictEqual({
      status: 'gone',
      channelId: id,
      hasMessages: false,
    })
  })
})

describe('an account that is erased', () => {
  it('leaves its groups to those who came first; its names and nicks there are gone', async () => {
    const [owner, one, other] = await threeFriends(guildhall)
    const channel = await openGroup(guildhall, owner, one, other)
    bodyOf(await on.change(owner, channel, { name: 'Adas room', nicks: { [one.id]: 'Chief', [owner.id]: 'Boss' } }))
    await deletionIsDue(guildhall, owner)
    expect(await erase(guildhall, owner)).toBe(true)
    const opened = await everyEvent(guildhall)
    expect(opened).toContain('Chief')
    expect(await everyRow(guildhall)).not.toContain('Boss')
    for (const personal of ['Adas room', 'Boss']) expect(opened).not.toContain(personal)
    const left = await on.read(one, channel)
    expect(recipientsIn(left)).toStrictEqual([other.id])
    expect(bodyOf(left)).toMatchObject({ owner_id: one.id, nicks: { [one.id]: 'Chief' } })
    expect(bodyOf(left)).not.toHaveProperty('name')
    expect((await saidIn(guildhall, one, channel))[0]).toMatchObject({ type: 2, author: owner.id })
    expect(await groupsOf(guildhall, one)).toStrictEqual([channel])
  })
})
