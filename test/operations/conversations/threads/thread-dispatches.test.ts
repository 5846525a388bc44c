import { afterEach, describe, expect, it } from 'vitest'
import type { Client } from '../../../gateway/support/client.ts'
import { addBot, newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { accept, bodyOf, invite } from '../../support/answers.ts'
import { placeOf } from '../../support/members.ts'
import { sent } from '../../support/messages.ts'
import { openThreads } from '../../support/threads.ts'

const { connect, end } = connections()

const { guildhall, ada, brian, home, threads } = await openThreads()
const carol = await home.member()
afterEach(end)

/** Connects a client that understands threads. */
const open = (account: { readonly token: string }) => connect(guildhall, account, { flags: 4 })

/** The dispatches about threads that clients have when a later event has reached all of them. */
async function heard(...clients: readonly Client[]): Promise<readonly (readonly string[])[]> {
  const { id } = bodyOf(await home.send(ada, 'POST', '/roles', { name: 'until' }))
  for (const client of clients) await client.until(({ t, d }) => t === 'GUILD_ROLE_CREATE' && isRole(d, id), 'the role')
  return clients.map(({ dispatches }) => dispatches.flatMap(({ t }) => (t?.startsWith('THREAD_') === true ? [t] : [])))
}

const isRole = (d: unknown, id: unknown): boolean => (d as { readonly role: { readonly id: string } }).role.id === id

const guildIn = ({ ready }: Awaited<ReturnType<typeof open>>, id = home.id) =>
  (ready['guilds'] as readonly Readonly<Record<string, unknown>>[]).find((guild) => guild['id'] === id)

describe('THREAD_CREATE', () => {
  it('reaches all who can view the thread and understand it, its owner with the membership', async () => {
    const [owner, viewer] = [(await open(brian)).client, (await open(carol)).client]
    const plain = (await connect(guildhall, carol)).client
    const id = await threads.started(brian, home.channel)
    const thread = { id, type: 11, guild_id: home.id, parent_id: home.channel, owner_id: brian.id, member_count: 1 }
    const { d } = await viewer.dispatch('THREAD_CREATE')
    expect(d).toMatchObject(thread)
    expect(d).not.toHaveProperty('member')
    expect(d).not.toHaveProperty('member_ids_preview')
    expect((await owner.dispatch('THREAD_CREATE')).d).toMatchObject({
      ...thread,
      member: { id, user_id: brian.id, flags: 1 },
    })
    expect(await heard(owner, viewer, plain)).toStrictEqual([['THREAD_CREATE'], ['THREAD_CREATE'], []])
  })

  it('of a private thread reaches its members and moderators', async () => {
    const clients = [await open(brian), await open(carol), await open(ada)].map(({ client }) => client)
    const id = await threads.started(brian, home.channel, { type: 12 })
    expect(await heard(...clients)).toStrictEqual([['THREAD_CREATE'], [], ['THREAD_CREATE']])
    await threads.join(brian, id, carol.id)
    const added = ['THREAD_CREATE', 'THREAD_MEMBERS_UPDATE']
    expect(await heard(...clients)).toStrictEqual([
      ['THREAD_CREATE', 'THREAD_MEMBERS_UPDATE'],
      added,
      ['THREAD_CREATE', 'THREAD_MEMBERS_UPDATE'],
    ])
  })
})

describe('THREAD_UPDATE and THREAD_DELETE', () => {
  it('reach all who can view the thread', async () => {
    const id = await threads.started(brian, home.channel)
    const secret = await threads.started(brian, home.channel, { type: 12 })
    const { client } = await open(carol)
    const owner = (await open(brian)).client
    await threads.change(brian, id, { name: 'Plans', archived: true })
    const updated = { id, name: 'Plans', thread_metadata: { archived: true } }
    expect((await client.dispatch('THREAD_UPDATE')).d).toMatchObject(updated)
    await threads.change(brian, secret, { name: 'Plans' })
    await threads.remove(ada, secret)
    await threads.remove(ada, id)
    expect((await client.dispatch('THREAD_DELETE')).d).toStrictEqual({
      id,
      guild_id: home.id,
      parent_id: home.channel,
      type: 11,
    })
    expect(await heard(client, owner)).toStrictEqual([
      ['THREAD_UPDATE', 'THREAD_DELETE'],
      ['THREAD_UPDATE', 'THREAD_UPDATE', 'THREAD_DELETE', 'THREAD_DELETE'],
    ])
  })

  it('include the membership for those who have joined, so that a thread archived before READY is known', async () => {
    const id = await threads.started(brian, home.channel)
    await threads.change(brian, id, { archived: true })
    const [member, viewer] = [(await open(brian)).client, (await open(carol)).client]
    await threads.change(ada, id, { archived: false })
    const own = { id, user_id: brian.id, join_timestamp: expect.any(String), flags: 1, muted: false, mute_config: null }
    const { d } = await member.dispatch('THREAD_UPDATE')
    expect(d).toMatchObject({ id, thread_metadata: { archived: false }, member: own })
    const { member: _, ...plain } = d
    expect((await viewer.dispatch('THREAD_UPDATE')).d).toStrictEqual(plain)
  })
})

describe('THREAD_MEMBERS_UPDATE', () => {
  it('announces a new member, with the guild member, and one who leaves', async () => {
    const id = await threads.started(brian, home.channel)
    const { client } = await open(brian)
    await threads.join(carol, id)
    expect((await client.dispatch('THREAD_MEMBERS_UPDATE')).d).toStrictEqual({
      id,
      guild_id: home.id,
      member_count: 2,
      added_members: [
        {
          id,
          user_id: carol.id,
          join_timestamp: expect.any(String),
          flags: 0,
          member: expect.objectContaining({ user: expect.objectContaining({ id: carol.id }) }),
        },
      ],
    })
    await threads.leave(carol, id)
    const left = { id, guild_id: home.id, member_count: 1, removed_member_ids: [carol.id] }
    expect((await client.dispatch('THREAD_MEMBERS_UPDATE')).d).toStrictEqual(left)
  })

  it('announces a member who leaves the guild, once for each thread', async () => {
    const member = await home.member()
    const ids = [await threads.started(brian, home.channel), await threads.started(brian, home.channel)]
    for (const id of ids) await threads.join(member, id)
    const { client } = await open(brian)
    await guildhall.request('DELETE', `/v1/users/@me/guilds/${home.id}`, { token: member.token })
    await client.dispatch('GUILD_MEMBER_REMOVE')
    const told = [
      (await client.dispatch('THREAD_MEMBERS_UPDATE')).d,
      (await client.dispatch('THREAD_MEMBERS_UPDATE')).d,
    ]
    expect(told.map((d) => String(d['id'])).toSorted()).toStrictEqual(ids.toSorted())
    for (const d of told) expect(d).toMatchObject({ removed_member_ids: [member.id], member_count: 1 })
  })
})

describe('THREAD_MEMBER_UPDATE', () => {
  it('reaches the account itself', async () => {
    const id = await threads.started(brian, home.channel)
    const [own, other] = [(await open(brian)).client, (await open(carol)).client]
    await threads.send(brian, 'PATCH', `/v1/channels/${id}/thread-members/@me/settings`, { muted: true })
    expect((await own.dispatch('THREAD_MEMBER_UPDATE')).d).toMatchObject({
      id,
      user_id: brian.id,
      guild_id: home.id,
      muted: true,
    })
    expect(await heard(other)).toStrictEqual([[]])
  })
})

describe('Messages in threads', () => {
  it('reach clients that understand threads; in private ones only their members', async () => {
    const id = await threads.started(brian, home.channel)
    const secret = await threads.started(brian, home.channel, { type: 12 })
    const [viewer, plain] = [(await open(carol)).client, (await connect(guildhall, carol)).client]
    await threads.write(brian, secret, 'secret')
    await threads.write(brian, id, 'open')
    await sent(guildhall, brian, home.channel, 'last')
    const contents = async (client: Client) => {
      await client.until(
        ({ t, d }) => t === 'MESSAGE_CREATE' && (d as { readonly content?: string }).content === 'last',
        '',
      )
      return client.dispatches.flatMap(({ t, d }) => (t === 'MESSAGE_CREATE' ? [d['content']] : []))
    }
    expect(await contents(viewer)).toStrictEqual(['open', 'last'])
    expect(await contents(plain)).toStrictEqual(['last'])
  })

  it('come after their effects on the thread', async () => {
    const id = await threads.started(brian, home.channel)
    await threads.change(brian, id, { archived: true })
    const { client } = await open(carol)
    await threads.write(carol, id)
    await client.dispatch('MESSAGE_CREATE')
    const names = client.dispatches.flatMap(({ t }) => (t === 'READY' || t === 'SESSIONS_REPLACE' ? [] : [t]))
    expect(names).toStrictEqual(['THREAD_UPDATE', 'THREAD_CREATE', 'THREAD_MEMBERS_UPDATE', 'MESSAGE_CREATE'])
  })
})

describe('`threads` of guild ready objects', () => {
  it('are the active ones that a user has joined, each with the membership', async () => {
    const place = await placeOf(guildhall, ada)
    const mine = await threads.started(ada, place.channel)
    const archived = await threads.started(ada, place.channel)
    await threads.change(ada, archived, { archived: true })
    await threads.write(ada, mine)
    const found = guildIn(await open(ada), place.id)
    const shown = found?.['threads'] as readonly { readonly member: object }[]
    expect(shown).toMatchObject([{ id: mine, message_count: 1 }])
    const own = { join_timestamp: expect.any(String), flags: 1, muted: false, mute_config: null }
    expect(shown[0]?.member).toStrictEqual(own)
    expect(guildIn(await connect(guildhall, ada), place.id)).not.toHaveProperty('threads')
  })

  it('are every active one that a bot can view', async () => {
    const place = await placeOf(guildhall, ada)
    const [public_, secret] = [
      await threads.started(ada, place.channel),
      await threads.started(ada, place.channel, { type: 12 }),
    ]
    const application = await newApplication(guildhall, ada)
    await addBot(guildhall, application, place)
    const { client } = await connect(guildhall, { token: application.botToken })
    const { d } = await client.dispatch('GUILD_CREATE')
    expect((d['threads'] as readonly { readonly id: string }[]).map(({ id }) => id)).toStrictEqual([public_])
    expect((await threads.join(ada, secret, application.id)).status).toBe(204)
    expect((await client.dispatch('THREAD_CREATE')).d).toMatchObject({ id: secret, member: {} })
  })
})

describe('threads that become visible or hidden without an event of their own', () => {
  /** What a client heard of channels and threads: the name, and the id. */
  const toldOf = ({ dispatches }: Client) =>
    dispatches.flatMap(({ t, d }) => (/^(CHANNEL|THREAD)_(CREATE|DELETE)$/.test(String(t)) ? [[t, d['id']]] : []))

  it('come after their channel for those who have joined them, and go before it', async () => {
    const place = await placeOf(guildhall, ada)
    const member = await place.member()
    await accept(guildhall, member, await invite(guildhall, ada, home.channel))
    const id = await threads.started(ada, place.channel)
    await threads.started(ada, place.channel)
    await threads.join(ada, id, member.id)
    const [{ client }, plain] = [await open(member), (await connect(guildhall, member)).client]
    await threads.deny(ada, place.id, place.channel, 'VIEW_CHANNEL')
    await client.dispatch('CHANNEL_DELETE')
    await threads.change(ada, id, { name: 'Behind doors' })
    const last_message_id = bodyOf(await threads.write(ada, id, 'Are you there?'))['id']
    await sent(guildhall, ada, home.channel, 'a message later')
    await client.until(({ d }) => d !== null && 'content' in d && d['content'] === 'a message later', 'the message')
    await threads.deny(ada, place.id, place.channel)
    const { d } = await client.dispatch('THREAD_CREATE')
    const shown = { id, name: 'Behind doors', parent_id: place.channel, last_message_id }
    expect(d).toMatchObject({ ...shown, member: { id, user_id: member.id, muted: false } })
    expect((await threads.remove(ada, place.channel)).status).toBe(204)
    const gone = { id, guild_id: place.id, parent_id: place.channel, type: 11 }
    await client.until(({ t, d: of }) => t === 'CHANNEL_DELETE' && of !== null && 'name' in of, 'the end of it')
    await plain.until(({ t, d: of }) => t === 'CHANNEL_DELETE' && of !== null && 'name' in of, 'the end of it')
    const [away, back] = [['CHANNEL_DELETE', place.channel] as const, ['CHANNEL_CREATE', place.channel] as const]
    const [parted, met] = [['THREAD_DELETE', id] as const, ['THREAD_CREATE', id] as const]
    expect(toldOf(client)).toStrictEqual([parted, away, back, met, parted, away])
    expect(toldOf(plain)).toStrictEqual([away, back, away])
    expect(client.dispatches.findLast(({ t }) => t === 'THREAD_DELETE')?.d).toStrictEqual(gone)
  })

  it('are all of its channels for a bot, private ones once it moderates threads', async () => {
    const place = await placeOf(guildhall, ada)
    const application = await newApplication(guildhall, ada)
    await addBot(guildhall, application, place)
    const id = await threads.started(ada, place.channel)
    const secret = await threads.started(ada, place.channel, { type: 12 })
    const { client } = await connect(guildhall, { token: application.botToken })
    await client.dispatch('GUILD_CREATE')
    await threads.empower(ada, place.id, application.id, 'MANAGE_THREADS')
    const { d } = await client.dispatch('THREAD_CREATE')
    expect(d).toMatchObject({ id: secret, type: 12 })
    expect(d).not.toHaveProperty('member')
    await threads.deny(ada, place.id, place.channel, 'VIEW_CHANNEL')
    await client.dispatch('CHANNEL_DELETE')
    const told = toldOf(client).filter(([t]) => String(t).startsWith('THREAD_'))
    expect(told).toStrictEqual([
      ['THREAD_CREATE', secret],
      ['THREAD_DELETE', id],
      ['THREAD_DELETE', secret],
    ])
  })
})
