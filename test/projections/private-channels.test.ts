import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountId, ChannelId } from '../../domain/ids/ids.ts'
import { privateChannelsProjection } from '../../projections/private-channels/projector.ts'
import { privateChannelQueries } from '../../projections/private-channels/queries.ts'
import { account, channel, start } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => privateChannelQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))
const openFor = async (id: AccountId) => (await queries().openFor(id)).map((found) => found.id)

beforeAll(async () => {
  the = await world()
  projector = await the.projector([privateChannelsProjection])
})

afterAll(() => the.close())

const view = (channelId: ChannelId, accountId: AccountId, otherId: AccountId) => ({ channelId, accountId, otherId })
const opened = (channelId: ChannelId, accountId: AccountId, otherId: AccountId): AnyEvent => ({
  type: 'DirectChannelOpened',
  data: { ...view(channelId, accountId, otherId), openedAt: start },
})
const created = (channelId: ChannelId, ownerId: AccountId, ...others: readonly AccountId[]): AnyEvent => ({
  type: 'GroupCreated',
  data: { channelId, recipients: [ownerId, ...others], ownerId, createdAt: start },
})
const renamed = (channelId: ChannelId, changedBy: AccountId, name: string | null): AnyEvent => ({
  type: 'GroupRenamed',
  data: { channelId, recipients: [changedBy], changedBy, changeId: 'request', name },
})
const nicked = (channelId: ChannelId, accountId: AccountId, nick: string | null): AnyEvent => ({
  type: 'GroupNickChanged',
  data: { channelId, recipients: [accountId], changedBy: accountId, changeId: 'request', accountId, nick },
})
const removed = (channelId: ChannelId, accountId: AccountId, ...recipients: readonly AccountId[]): AnyEvent => ({
  type: 'GroupRecipientRemoved',
  data: { channelId, recipients, accountId, removedBy: accountId, wasOwner: false },
})
const erased = (accountId: AccountId): AnyEvent => ({
  type: 'AccountErasureStarted',
  data: { accountId, username: 'gone', addressHash: null, identityHashes: [], startedAt: start },
})

describe('a direct message', () => {
  it('is found by its id and by its two accounts, from either side, with those who closed it', async () => {
    const [one, other, id] = [account(1), account(2), channel(101)]
    await happens(opened(id, other, one))
    const found = {
      id,
      kind: 'direct',
      recipients: [one, other],
      closedFor: [one],
      ownerId: null,
      name: null,
      icon: null,
      nicks: {},
    }
    expect(await queries().find(id)).toStrictEqual(found)
    expect(await queries().between(one, other)).toStrictEqual(found)
    expect(await queries().between(other, one)).toStrictEqual(found)
    expect(await queries().between(one, account(3))).toBeUndefined()
    expect(await queries().find(channel(999))).toBeUndefined()
  })

  it('is open for those who opened it and did not close it, the newest channel first', async () => {
    const [one, other] = [account(11), account(12)]
    await happens(opened(channel(111), one, other), opened(channel(112), one, account(13)))
    expect(await openFor(one)).toStrictEqual([channel(112), channel(111)])
    expect(await openFor(other)).toStrictEqual([])
    await happens({ type: 'DirectChannelShown', data: view(channel(111), other, one) })
    await happens({ type: 'DirectChannelHidden', data: view(channel(111), one, other) })
    expect(await openFor(one)).toStrictEqual([channel(112)])
    expect(await openFor(other)).toStrictEqual([channel(111)])
    expect((await queries().find(channel(111)))?.closedFor).toStrictEqual([one])
  })

  it('is among those of an account, opened by either and closed ones too, in pages both ways', async () => {
    const [one, other, third] = [account(14), account(15), account(16)]
    await happens(
      opened(channel(141), one, other),
      opened(channel(143), third, one),
      opened(channel(142), other, third),
    )
    await happens(
      { type: 'DirectChannelHidden', data: view(channel(141), one, other) },
      created(channel(144), one, other),
    )
    const page = async (limit: number, cursor: { readonly before?: ChannelId; readonly after?: ChannelId } = {}) =>
      (await queries().directOf(one, { limit, ...cursor })).map((found) => found.id)
    expect(await page(200)).toStrictEqual([channel(143), channel(141)])
    expect(await page(1)).toStrictEqual([channel(143)])
    expect(await page(1, { before: channel(143) })).toStrictEqual([channel(141)])
    expect(await page(200, { before: channel(141) })).toStrictEqual([])
    expect(await page(1, { after: channel(140) })).toStrictEqual([channel(141)])
    expect(await page(200, { after: channel(141) })).toStrictEqual([channel(143)])
    expect(await queries().directOf(account(17), { limit: 200 })).toStrictEqual([])
  })
})

describe('a group', () => {
  it('is found with its recipients in ascending order, its owner, its name and its nicks', async () => {
    const [owner, one, id] = [account(22), account(21), channel(121)]
    await happens(created(id, owner, one), renamed(id, one, 'Engine room'), nicked(id, one, 'Chief'))
    expect(await queries().find(id)).toStrictEqual({
      id,
      kind: 'group',
      recipients: [one, owner],
      closedFor: [],
      ownerId: owner,
      name: 'Engine room',
      icon: null,
      nicks: { [one]: 'Chief' },
    })
    await happens(renamed(id, owner, null), nicked(id, one, null), {
      type: 'GroupOwnerChanged',
      data: { channelId: id, recipients: [owner, one], ownerId: one },
    })
    expect(await queries().find(id)).toMatchObject({ ownerId: one, name: null, nicks: {} })
  })

  it('counts among the groups of its members, and is shared by them', async () => {
    const [owner, one, late, id] = [account(31), account(32), account(33), channel(131)]
    await happens(created(id, owner, one), opened(channel(132), owner, late))
    expect(await queries().groupCountOf(owner)).toBe(1)
    expect(await queries().shareGroup(owner, late)).toBe(false)
    await happens({
      type: 'GroupRecipientAdded',
      data: { channelId: id, recipients: [owner, one, late], accountId: late, addedBy: owner },
    })
    expect(await queries().shareGroup(owner, late)).toBe(true)
    await happens(nicked(id, late, 'Latecomer'), removed(id, late, owner, one))
    expect(await queries().shareGroup(owner, late)).toBe(false)
    expect(await queries().groupCountOf(late)).toBe(0)
    expect(await queries().find(id)).toMatchObject({ recipients: [owner, one], nicks: {} })
  })

  it('does not exist once the last one has left', async () => {
    const [owner, id] = [account(41), channel(141)]
    await happens(created(id, owner), renamed(id, owner, 'Mine'))
    await happens(removed(id, owner), { type: 'GroupDeleted', data: { channelId: id } })
    expect(await queries().find(id)).toBeUndefined()
    expect(await openFor(owner)).toStrictEqual([])
    expect(await the.rows(`select name from private_channels.names where channel_id = ${id}`)).toStrictEqual([])
  })
})

describe('an account that is erased', () => {
  it('has no direct messages open, and none of its names or nicks remain', async () => {
    const [gone, other, id] = [account(51), account(52), channel(151)]
    await happens(created(id, gone, other), opened(channel(152), gone, other))
    await happens(renamed(id, gone, 'Secret'), nicked(id, gone, 'Boss'), nicked(id, other, 'Chief'), erased(gone))
    expect(await openFor(gone)).toStrictEqual([id])
    expect(await queries().find(id)).toMatchObject({
      recipients: [gone, other],
      name: null,
      nicks: { [other]: 'Chief' },
    })
    expect((await queries().find(channel(152)))?.recipients).toStrictEqual([gone, other])
  })
})
