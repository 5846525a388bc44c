import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountId, ChannelId, GuildId } from '../../domain/ids/ids.ts'
import { channelId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import type { ThreadEvent, ThreadStarted } from '../../domain/thread/events.ts'
import { threadTypes, type ThreadSettings } from '../../domain/thread/state.ts'
import { threadsProjection } from '../../projections/threads/projector.ts'
import { threadQueries } from '../../projections/threads/queries.ts'
import { account, after, channel, guild, start } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => threadQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([threadsProjection])
})
afterAll(() => the.close())

let number = 0
/** The initial data of a new thread of the first account; each test has its own channel. */
function terms(parentId: ChannelId, changes: Partial<ThreadStarted> = {}): ThreadStarted {
  number += 1
  return {
    threadId: channelId(snowflake(`${900_000 + number}`)),
    guildId: guild(1),
    parentId,
    threadType: threadTypes.public,
    ownerId: account(1),
    starterId: null,
    name: 'Chatter',
    autoArchiveDuration: 60,
    rateLimitPerUser: 0,
    invitable: null,
    flags: 0,
    appliedTags: [],
    createdAt: start,
    ...changes,
  }
}
const place = ({ threadId, guildId, parentId, threadType }: ThreadStarted) => ({
  threadId,
  guildId,
  parentId,
  threadType,
})
const started = (data: ThreadStarted): ThreadEvent => ({ type: 'ThreadStarted', data })
const changed = (of: ThreadStarted, changes: Partial<ThreadSettings>, seconds = 60): ThreadEvent => ({
  type: 'ThreadChanged',
  data: { ...place(of), before: {}, after: changes, because: 'asked', changedAt: after(seconds) },
})
const joined = (of: ThreadStarted, accountId: AccountId, seconds = 0): ThreadEvent => ({
  type: 'ThreadMemberAdded',
  data: {
    ...place(of),
    accountId,
    addedBy: accountId,
    member: { joinedAt: after(seconds), flags: 0, muted: false, muteConfig: null },
    memberCount: 1,
  },
})
const left = (of: ThreadStarted, accountId: AccountId): ThreadEvent => ({
  type: 'ThreadMemberRemoved',
  data: { ...place(of), accountId, removedBy: accountId, memberCount: 0 },
})
const idsOf = (found: readonly { readonly threadId: ChannelId }[]) => found.map(({ threadId }) => threadId)

describe('a thread', () => {
  it('is found as it began, and as it was changed', async () => {
    const thread = terms(channel(11), { threadType: threadTypes.private, invitable: true, appliedTags: ['7'] })
    await happens(started(thread), joined(thread, account(1)))
    const found = { ...thread, archived: false, locked: false, archivedAt: start, memberCount: 1 }
    expect(await queries().find(thread.threadId)).toStrictEqual(found)
    await happens(changed(thread, { name: 'Plans', locked: true }))
    expect(await queries().find(thread.threadId)).toStrictEqual({ ...found, name: 'Plans', locked: true })
    await happens(changed(thread, { archived: true }, 120))
    const archived = { ...found, name: 'Plans', locked: true, archived: true, archivedAt: after(120) }
    expect(await queries().find(thread.threadId)).toStrictEqual(archived)
  })

  it('is gone with its members when it is deleted', async () => {
    const thread = terms(channel(12))
    const settings = { ...thread, archived: false, locked: false }
    await happens(started(thread), joined(thread, account(1)))
    await happens({ type: 'ThreadDeleted', data: { ...place(thread), because: 'asked', settings, memberIds: [] } })
    expect(await queries().find(thread.threadId)).toBeUndefined()
    expect(await queries().members(thread.threadId, { limit: 10 })).toStrictEqual([])
  })

  it('counts as active in its guild while it is not archived', async () => {
    const away: GuildId = guild(2)
    const [one, other] = [terms(channel(13), { guildId: away }), terms(channel(13), { guildId: away })]
    await happens(started(one), started(other), changed(other, { archived: true }))
    expect(await queries().countActive(away)).toBe(1)
    expect(idsOf(await queries().activeOf(away))).toStrictEqual([one.threadId])
    expect(await queries().idsUnder({ guildId: away })).toStrictEqual([one.threadId, other.threadId])
    await happens(changed(other, { archived: false }))
    expect(await queries().countActive(away)).toBe(2)
  })

  it('may be idle after the time that it sets', async () => {
    const thread = terms(channel(14), { createdAt: after(10_000), autoArchiveDuration: 1440 })
    await happens(started(thread))
    const idle = async (seconds: number) => idsOf(await queries().perhapsIdle(after(seconds), { limit: 100 }))
    expect(await idle(10_000 + 86_399)).not.toContain(thread.threadId)
    expect(await idle(10_000 + 86_400)).toContain(thread.threadId)
  })
})

describe('archives', () => {
  it('are paged by the time when threads were archived, one more than requested', async () => {
    const parent = channel(15)
    const made = [terms(parent), terms(parent), terms(parent, { threadType: threadTypes.private })]
    const [one, other, secret] = made
    for (const thread of made) await happens(started(thread))
    if (!one || !other || !secret) throw new Error('there are three')
    await happens(changed(one, { archived: true }, 300), changed(other, { archived: true }, 200))
    await happens(changed(secret, { archived: true }, 100), joined(secret, account(2)))
    const types = [threadTypes.public]
    expect(idsOf(await queries().archivedOf(parent, { types, limit: 1 }))).toStrictEqual([one.threadId, other.threadId])
    const before = await queries().archivedOf(parent, { types, limit: 5, before: after(300) })
    expect(idsOf(before)).toStrictEqual([other.threadId])
    expect(idsOf(await queries().ownArchivedOf(parent, account(2), { limit: 5 }))).toStrictEqual([secret.threadId])
    expect(await queries().ownArchivedOf(parent, account(1), { limit: 5 })).toStrictEqual([])
  })

  it('are searched by a part of the name, which is not a pattern', async () => {
    const parent = channel(16)
    const [one, other] = [terms(parent, { name: '100% Sure' }), terms(parent, { name: '100 times' })]
    await happens(started(one), started(other))
    const search = (name: string) =>
      queries().search(parent, {
        name,
        archived: null,
        viewer: account(1),
        seesAllPrivate: false,
        oldestFirst: false,
        limit: 25,
        offset: 0,
      })
    expect(idsOf((await search('0% s')).found)).toStrictEqual([one.threadId])
    expect(await search('100')).toMatchObject({ total: 2 })
  })
})

describe('members of a thread', () => {
  it('are listed by their ids, and found by account', async () => {
    const thread = terms(channel(17))
    // In the order of the log, which differs from that of the clocks.
    await happens(started(thread), ...[1, 2, 3].map((one) => joined(thread, account(one), 10 - one)))
    const list = async (page: { readonly after?: AccountId; readonly limit: number }) =>
      (await queries().members(thread.threadId, page)).map(({ accountId }) => accountId)
    expect(await list({ limit: 2 })).toStrictEqual([account(1), account(2)])
    expect(await list({ limit: 2, after: account(2) })).toStrictEqual([account(3)])
    expect((await queries().memberPreviews([thread.threadId])).get(thread.threadId)).toStrictEqual([
      account(1),
      account(2),
      account(3),
    ])
    await happens(left(thread, account(3)))
    expect(await queries().membership(thread.threadId, account(3))).toBeUndefined()
  })
  it('are distinguished by what came before a position, whatever the clocks said', async () => {
    const [one, other] = [terms(channel(18)), terms(channel(18))]
    await happens(started(one), started(other), joined(one, account(4), 3600))
    const between = await the.happens(changed(one, { name: 'Between' }))
    await happens(joined(other, account(4), 0))
    const joinedIn = async (before: bigint) =>
      (await queries().joinedIn(guild(1), account(4), before)).map(({ threadId, joinedAt }) => [threadId, joinedAt])
    expect(await joinedIn(between)).toStrictEqual([[one.threadId, after(3600)]])
    expect(await joinedIn(between + 100n)).toHaveLength(2)
  })

  it('have their notification settings', async () => {
    const thread = terms(channel(18))
    await happens(started(thread), joined(thread, account(1)))
    const settings = (changes: object): ThreadEvent => ({
      type: 'ThreadMemberSettingsChanged',
      data: { ...place(thread), accountId: account(1), changes },
    })
    const muteConfig = { endTime: after(60), selectedTimeWindow: 60 }
    await happens(settings({ muted: true, muteConfig }))
    expect(await queries().membership(thread.threadId, account(1))).toMatchObject({ flags: 0, muted: true, muteConfig })
    await happens(settings({ muteConfig: null, flags: 8 }))
    expect(await queries().membership(thread.threadId, account(1))).toMatchObject({ flags: 8, muteConfig: null })
  })
})
