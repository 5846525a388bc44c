import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PermissionName } from '../../../domain/permissions/permission-bits.ts'
import { newProfile } from '../../../domain/account/profile.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import type { Client, Payload } from '../support/client.ts'
import { joined, left, rolesChanged } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

/** Request Guild Members, op 8. */

let stage: Stage
let ada: Account
let home: Place
let client: Client
beforeEach(async () => {
  stage = await openStage()
  ada = stage.account({ username: 'Ada' })
  home = stage.found(ada)
  client = await stage.identify(ada)
})
afterEach(async () => {
  await stage.end()
})

function member(changes: Parameters<Stage['account']>[0] = {}, place = home): Account {
  const account = stage.account(changes)
  stage.happen(joined(place.id, account.id))
  return account
}

function renamed(account: Account, nick: string): DomainEvent {
  return {
    type: 'MemberChanged',
    data: { guildId: home.id, accountId: account.id, before: { nick: null }, after: { nick } },
  }
}

/** The results of requests up to the answer to a heartbeat. */
async function answered(asking: Client = client): Promise<readonly Payload[]> {
  await stage.handled()
  asking.send(1, null)
  const told = await asking.until(({ op }) => op === 11, 'ACK')
  return told.filter(({ t = '' }) => ['GUILD_MEMBERS_CHUNK', 'RATE_LIMITED'].includes(t))
}

const ask = (d: unknown, asking: Client = client): void => asking.send(8, d)
const chunk = async (asking: Client = client) => (await asking.dispatch('GUILD_MEMBERS_CHUNK')).d
const idsIn = ({ members }: Payload['d']): readonly string[] =>
  (members as readonly { readonly user: { readonly id: string } }[]).map(({ user }) => user.id)

describe('Request Guild Members', () => {
  it('finds members by the beginning of their name: nickname, else global name, else username, in any case', async () => {
    const grace = member({ username: 'Ánna' })
    const nicknamed = member({ username: 'x' })
    stage.happen(renamed(nicknamed, 'áNNa the second'))
    const titled = member({ username: 'x', profile: { ...newProfile(null), globalName: 'ÁNNABEL' } })
    const hidden = member({ username: 'ánna' })
    stage.happen(renamed(hidden, 'Zoe'))
    ask({ guild_id: home.id, query: 'ánna', limit: 0, nonce: 'n'.repeat(32) })
    const { members, ...rest } = await chunk()
    expect(rest).toStrictEqual({ guild_id: home.id, chunk_index: 0, chunk_count: 1, nonce: 'n'.repeat(32) })
    expect(idsIn({ members })).toStrictEqual([grace.id, nicknamed.id, titled.id])
    expect((members as readonly object[])[1]).toMatchObject({
      user: { id: nicknamed.id, username: 'x' },
      nick: 'áNNa the second',
      roles: [],
      mute: false,
    })
  })

  it('is answered with one empty chunk if it finds nobody', async () => {
    ask({ guild_id: home.id, query: 'nobody' })
    expect(await chunk()).toStrictEqual({ guild_id: home.id, members: [], chunk_index: 0, chunk_count: 1 })
  })

  it.each([
    ['0 with a query is 25', { query: 'm', limit: 0 }, 25],
    ['none with a query is 25', { query: 'm' }, 25],
    ['100', { query: 'm', limit: 100 }, 100],
    ['101 is 100', { query: 'm', limit: 101 }, 100],
    ['below 0 is 0', { query: 'm', limit: -1 }, 25],
    ['1 without a query', { query: '', limit: 1 }, 1],
  ])('returns as many as its limit says: %s', async (_, d, count) => {
    const crowd = Array.from({ length: 101 }, () => stage.account({ username: 'member' }))
    stage.happen(...crowd.map(({ id }) => joined(home.id, id)))
    ask({ guild_id: home.id, ...d })
    expect(idsIn(await chunk())).toHaveLength(count)
  })

  it('returns the members that it names, whatever else it contains, up to 100 of them', async () => {
    const [grace, stranger] = [member(), stage.account()]
    const ids = [stranger.id, ...Array.from({ length: 97 }, () => stage.newId()), grace.id, ada.id]
    ask({ guild_id: home.id, user_ids: ids, query: 'nobody', limit: 1 })
    expect(idsIn(await chunk())).toStrictEqual([ada.id, grace.id])
    ask({ guild_id: home.id, user_ids: [...ids, stage.newId()] })
    expect(await answered()).toStrictEqual([])
  })

  it('returns everybody in chunks of 1000, and never again after a resume', async () => {
    const crowd = Array.from({ length: 2000 }, () => stage.account())
    stage.happen(...crowd.map(({ id }) => joined(home.id, id)))
    await stage.handled()
    ask({ guild_id: home.id, query: '', limit: 0, nonce: 'all' })
    const chunks = [await chunk(), await chunk(), await chunk()]
    expect(chunks.map(({ chunk_index: index, chunk_count: count, nonce }) => [index, count, nonce])).toStrictEqual([
      [0, 3, 'all'],
      [1, 3, 'all'],
      [2, 3, 'all'],
    ])
    expect(chunks.flatMap(idsIn)).toStrictEqual([ada, ...crowd].map(({ id }) => id))
    const resumed = await stage.resume(ada, client.sessionId, 1)
    await resumed.dispatch('RESUMED')
    expect(resumed.dispatches.filter(({ t }) => t === 'GUILD_MEMBERS_CHUNK')).toStrictEqual([])
  })

  it.each<readonly [string, readonly PermissionName[], number]>([
    ['nothing', [], 0],
    ['two of the three', ['MANAGE_ROLES', 'KICK_MEMBERS'], 0],
    ['MANAGE_ROLES, KICK_MEMBERS and BAN_MEMBERS', ['MANAGE_ROLES', 'KICK_MEMBERS', 'BAN_MEMBERS'], 1],
    ['ADMINISTRATOR', ['ADMINISTRATOR'], 1],
  ])('returns everybody to a person who holds %s: %#', async (_, permissions, chunks) => {
    const grace = member()
    stage.happen(rolesChanged(home.id, grace.id, stage.role(home, ...permissions)))
    const hers = await stage.identify(grace)
    ask({ guild_id: home.id, query: '', limit: 0 }, hers)
    expect(await answered(hers)).toHaveLength(chunks)
    ask({ guild_id: home.id, query: '', limit: 1 }, hers)
    expect(idsIn(await chunk(hers))).toStrictEqual([ada.id])
  })

  it('returns everybody to a bot once in 30 seconds and guild, and says when it may ask again', async () => {
    const bot = member({ bot: true })
    const other = stage.found(stage.account())
    stage.happen(joined(other.id, bot.id))
    const robot = await stage.identify(bot)
    ask({ guild_id: home.id, query: '', limit: 0 }, robot)
    await chunk(robot)
    stage.clock.advance(10_000)
    ask({ guild_id: home.id, query: '', limit: 0, nonce: 'again' }, robot)
    expect((await robot.dispatch('RATE_LIMITED')).d).toStrictEqual({
      opcode: 8,
      retry_after: 20,
      meta: { guild_id: home.id, nonce: 'again' },
    })
    ask({ guild_id: other.id, query: '', limit: 0 }, robot)
    expect(await chunk(robot)).toMatchObject({ guild_id: other.id })
    ask({ guild_id: home.id, query: '', limit: 5 }, robot)
    expect(idsIn(await chunk(robot))).toHaveLength(2)
    stage.clock.advance(20_000)
    ask({ guild_id: home.id, query: '', limit: 0 }, robot)
    await chunk(robot)
    ask({ guild_ids: [home.id, other.id], query: 'a', limit: 1 }, robot)
    expect(await answered(robot)).toStrictEqual([])
  })

  it('searches several guilds at once, whatever else it contains, and then has no nonce', async () => {
    const other = stage.found(ada)
    await client.dispatch('GUILD_CREATE')
    ask({ guild_id: stage.newId(), guild_ids: [home.id, other.id], user_ids: [ada.id], nonce: 'n' })
    const chunks = [await chunk(), await chunk()]
    expect(chunks.map(({ guild_id: id, nonce }) => [id, nonce])).toStrictEqual([
      [home.id, undefined],
      [other.id, undefined],
    ])
    ask({ guild_ids: [], guild_id: home.id, user_ids: [ada.id], nonce: 'é'.repeat(17) })
    expect(await chunk()).not.toHaveProperty('nonce')
  })

  it('returns the presences of members who are not offline, if they are requested', async () => {
    const [grace, secretive, absent] = [member(), member(), member()]
    await stage.identify(grace, { presence: { status: 'dnd', afk: true, mobile: true } })
    await stage.identify(secretive, { presence: { status: 'invisible' } })
    const user_ids = [grace.id, secretive.id, absent.id]
    ask({ guild_id: home.id, user_ids, presences: true })
    expect((await chunk())['presences']).toStrictEqual([
      {
        user: expect.objectContaining({ id: grace.id, discriminator: '0007' }),
        status: 'dnd',
        mobile: true,
        afk: true,
        custom_status: null,
        guild_id: home.id,
      },
    ])
    ask({ guild_id: home.id, user_ids, presences: 'yes' })
    expect(await chunk()).not.toHaveProperty('presences')
    ask({ guild_id: home.id, user_ids: [absent.id], presences: true })
    expect(await chunk()).not.toHaveProperty('presences')
  })

  it.each([
    ['of nothing', 5],
    ['of no guild', {}],
    ['of what is no guild', { guild_id: 'home' }],
    ['of what are no members', { guild_id: '1', user_ids: [1] }],
    ['whose query is no text', { guild_id: '1', query: 5 }],
    ['whose limit is no number', { guild_id: '1', limit: 'all' }],
  ])('%s is dropped, and the socket stays', async (_, d) => {
    ask(d)
    expect(await answered()).toStrictEqual([])
  })

  it('of a guild that the account is not in, or that is unavailable, is dropped', async () => {
    const foreign = stage.found(stage.account())
    ask({ guild_id: foreign.id, query: 'a' })
    const features = ['UNAVAILABLE_FOR_EVERYONE'] as const
    stage.happen({ type: 'GuildFeaturesChanged', data: { guildId: home.id, features } })
    await client.dispatch('GUILD_DELETE')
    ask({ guild_id: home.id, query: 'a' })
    expect(await answered()).toStrictEqual([])
  })

  it('returns members as they are, if they change during the lookup', async () => {
    const [grace, leaver] = [member(), member()]
    const { asked, answer } = stage.models.hold('members')
    ask({ guild_id: home.id, user_ids: [grace.id, leaver.id] })
    await asked
    stage.happen(left(home.id, leaver.id), renamed(grace, 'Amazing'))
    await client.dispatch('GUILD_MEMBER_REMOVE')
    answer()
    const { members } = await chunk()
    expect(members).toMatchObject([{ nick: 'Amazing' }])
  })

  it('returns accounts as they are, if one changes during the lookup, and so do later dispatches', async () => {
    const grace = member({ username: 'Grace' })
    // In a way that no guild is told of, which would wait for the accounts too.
    const changeTag = (username: string): void => {
      stage.models.register(grace.id, { username })
      stage.happen({ type: 'ProfileChanged', data: { accountId: grace.id, changes: { bio: username } } })
    }
    changeTag('Brewster')
    await stage.handled()
    const { asked, answer } = stage.models.hold('accounts')
    ask({ guild_id: home.id, user_ids: [grace.id] })
    await asked
    changeTag('Hopper')
    await stage.handled()
    answer()
    const hopper = { user: { id: grace.id, username: 'Hopper' } }
    expect((await chunk())['members']).toMatchObject([hopper])
    stage.happen(rolesChanged(home.id, grace.id))
    expect((await client.dispatch('GUILD_MEMBER_UPDATE')).d).toMatchObject(hopper)
  })

  it('is one of four in progress at a time, and is given up after ten seconds', async () => {
    const crowd = Array.from({ length: 5 }, () => stage.account())
    stage.happen(...crowd.map(({ id }) => joined(home.id, id)))
    await stage.handled()
    const held = stage.models.holdAll('members')
    for (const { id } of crowd) ask({ guild_id: home.id, user_ids: [id], nonce: id })
    client.send(15, { guild_ids: [home.id] })
    expect((await answered()).length + client.dispatches.filter(({ t }) => t === 'GUILD_COUNTS_UPDATE').length).toBe(0)
    held.answer()
    const nonces = [await chunk(), await chunk(), await chunk(), await chunk()].map(({ nonce }) => nonce)
    expect(nonces).toStrictEqual(crowd.slice(0, 4).map(({ id }) => id))
    const slow = stage.models.holdAll('members')
    ask({ guild_id: home.id, user_ids: [ada.id] })
    expect(await answered()).toStrictEqual([])
    stage.clock.advance(10_000)
    slow.answer()
    expect(await answered()).toStrictEqual([])
    client.send(15, { guild_ids: [home.id] })
    await client.dispatch('GUILD_COUNTS_UPDATE')
  })
})
