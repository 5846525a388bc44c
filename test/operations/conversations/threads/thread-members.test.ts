import { beforeAll, describe, expect, it } from 'vitest'
import { accountId, channelId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { bodyOf, expectRefusal, listOf } from '../../support/answers.ts'
import { addBot, asBot, newApplication } from '../../support/applications.ts'
import { openThreads } from '../../support/threads.ts'

const { guildhall, ada, brian, home, threads } = await openThreads()
const application = await newApplication(guildhall, ada)
await addBot(guildhall, application, home)
const bot = { id: application.id, token: asBot(application) }

const members = async (thread: string): Promise<readonly string[]> => {
  const answer = await guildhall.request('GET', `/v1/channels/${thread}/thread-members`, { token: bot.token })
  return listOf(answer).map(({ user_id }) => String(user_id))
}

describe('A member of a thread', () => {
  it('joins and leaves', async () => {
    const thread = await threads.started(brian, home.channel)
    expect((await threads.join(ada, thread)).status).toBe(204)
    expect((await threads.join(ada, thread)).status).toBe(204)
    expect((await members(thread)).toSorted()).toStrictEqual([ada.id, brian.id].toSorted())
    expect((await threads.leave(ada, thread)).status).toBe(204)
    expect(await members(thread)).toStrictEqual([brian.id])
    expectRefusal(await threads.leave(ada, thread), 404, 'UNKNOWN_THREAD_MEMBER')
  })

  it('is added and removed by others, which the thread announces', async () => {
    const thread = await threads.started(brian, home.channel)
    expect((await threads.join(brian, thread, ada.id)).status).toBe(204)
    expectRefusal(await threads.leave(brian, thread, ada.id), 403, 'MISSING_PERMISSIONS')
    expect((await threads.leave(ada, thread, brian.id)).status).toBe(204)
    expectRefusal(await threads.leave(ada, thread, brian.id), 404, 'UNKNOWN_THREAD_MEMBER')
    expect(listOf(await threads.read(ada, thread))).toMatchObject([
      { type: 2, author: { id: ada.id }, mentions: [{ id: brian.id }] },
      { type: 1, author: { id: brian.id }, mentions: [{ id: ada.id }] },
    ])
  })

  it('of a private thread is added, and then sees it', async () => {
    const thread = await threads.started(brian, home.channel, { type: 12, invitable: false })
    const [friend, other] = [await home.member(), await home.member()]
    expectRefusal(await threads.join(friend, thread), 403, 'MISSING_ACCESS')
    expect((await threads.join(brian, thread, friend.id)).status).toBe(204)
    expect((await threads.read(friend, thread)).status).toBe(200)
    expectRefusal(await threads.join(friend, thread, other.id), 403, 'MISSING_PERMISSIONS')
    expect((await threads.leave(brian, thread, friend.id)).status).toBe(204)
    expectRefusal(await threads.read(friend, thread), 403, 'MISSING_ACCESS')
  })

  it('enters a locked thread as a moderator, or with the help of one', async () => {
    const thread = await threads.started(brian, home.channel)
    const [friend, other] = [await home.member(), await home.member()]
    await threads.change(ada, thread, { locked: true })
    expectRefusal(await threads.join(friend, thread), 400, 'THREAD_LOCKED')
    expectRefusal(await threads.join(brian, thread, friend.id), 400, 'THREAD_LOCKED')
    expect((await threads.join(ada, thread)).status).toBe(204)
    expect((await threads.join(ada, thread, other.id)).status).toBe(204)
    expect((await members(thread)).toSorted()).toStrictEqual([ada.id, brian.id, other.id].toSorted())
  })

  it('must be in the guild', async () => {
    const thread = await threads.started(brian, home.channel)
    const stranger = await guildhall.register()
    expectRefusal(await threads.join(brian, thread, stranger.id), 404, 'UNKNOWN_MEMBER')
    expectRefusal(await threads.join(stranger, thread), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await threads.join(brian, home.channel), 404, 'UNKNOWN_CHANNEL')
  })

  it('is read only by bots, with its guild member on request', async () => {
    const thread = await threads.started(brian, home.channel)
    const path = `/v1/channels/${thread}/thread-members`
    const get = (from: string) => guildhall.request('GET', from, { token: bot.token })
    const member = { id: thread, user_id: brian.id, join_timestamp: expect.any(String), flags: 1 }
    expect(bodyOf(await get(`${path}/${brian.id}`))).toStrictEqual(member)
    expect(listOf(await get(`${path}?with_member=true`))).toStrictEqual([
      { ...member, member: expect.objectContaining({ user: expect.objectContaining({ id: brian.id }) }) },
    ])
    expect(listOf(await get(`${path}?after=${brian.id}`))).toStrictEqual([])
    expectRefusal(await get(`${path}/${ada.id}`), 404, 'UNKNOWN_THREAD_MEMBER')
    for (const from of [path, `${path}/${brian.id}`])
      expectRefusal(await threads.send(brian, 'GET', from), 403, 'ACCESS_DENIED')
  })

  it('sets its notifications', async () => {
    const thread = await threads.started(brian, home.channel)
    const path = `/v1/channels/${thread}/thread-members/@me/settings`
    const mute_config = { end_time: '2030-01-01T00:00:00.000Z', selected_time_window: 3600 }
    const body = { flags: 4, muted: true, mute_config }
    const changed = bodyOf(await threads.send(brian, 'PATCH', path, body))
    expect(changed).toMatchObject({ ...body, id: thread, user_id: brian.id, flags: 5 })
    expect(bodyOf(await threads.send(brian, 'GET', `/v1/channels/${thread}`))).toMatchObject({
      member: { flags: 5, muted: true, mute_config },
    })
    expectRefusal(await threads.send(brian, 'PATCH', path, { flags: 6 }), 400, 'INVALID_FORM_BODY')
    expectRefusal(await threads.send(ada, 'PATCH', path, { muted: true }), 404, 'UNKNOWN_THREAD_MEMBER')
  })

  it('cannot join, leave or change settings while it is timed out', async () => {
    const member = await home.member()
    const [joined, other] = [await threads.started(member, home.channel), await threads.started(ada, home.channel)]
    const until = { communication_disabled_until: new Date(Date.now() + 3_600_000).toISOString() }
    await threads.send(ada, 'PATCH', `/v1/guilds/${home.id}/members/${member.id}`, until)
    expectRefusal(await threads.join(member, other), 403, 'COMMUNICATION_DISABLED')
    expectRefusal(await threads.leave(member, joined), 403, 'COMMUNICATION_DISABLED')
    const path = `/v1/channels/${joined}/thread-members/@me/settings`
    expectRefusal(await threads.send(member, 'PATCH', path, { muted: true }), 403, 'COMMUNICATION_DISABLED')
  })

  it('leaves with its membership of the guild', async () => {
    const member = await home.member()
    const thread = await threads.started(brian, home.channel)
    await threads.join(member, thread)
    expect((await guildhall.request('DELETE', `/v1/users/@me/guilds/${home.id}`, { token: member.token })).status).toBe(
      204,
    )
    const { queries } = guildhall.ports
    const there = () => queries.threads.membership(channelId(snowflake(thread)), accountId(snowflake(member.id)))
    await expect.poll(there).toBeUndefined()
  })
})

describe('Messages in a thread', () => {
  it('make their author a member, and are counted', async () => {
    const thread = await threads.started(brian, home.channel)
    const first = String(bodyOf(await threads.write(ada, thread))['id'])
    const last = String(bodyOf(await threads.write(ada, thread))['id'])
    const read = async () => bodyOf(await threads.send(ada, 'GET', `/v1/channels/${thread}`))
    const counts = { message_count: 2, total_message_sent: 2, last_message_id: last, member_count: 2 }
    expect(await read()).toMatchObject({ ...counts, member: { flags: 1 } })
    await threads.send(ada, 'DELETE', `/v1/channels/${thread}/messages/${first}`)
    expect(await read()).toMatchObject({ message_count: 1, total_message_sent: 2 })
  })

  it('need SEND_MESSAGES_IN_THREADS, and not SEND_MESSAGES', async () => {
    const channel = String(bodyOf(await home.send(ada, 'POST', '/channels', { name: 'talk', type: 0 }))['id'])
    const thread = await threads.started(brian, channel)
    await threads.deny(ada, home.id, channel, 'SEND_MESSAGES')
    expect((await threads.write(brian, thread)).status).toBe(200)
    expectRefusal(await threads.write(brian, channel), 403, 'MISSING_PERMISSIONS')
    await threads.deny(ada, home.id, channel, 'SEND_MESSAGES_IN_THREADS')
    expectRefusal(await threads.write(brian, thread), 403, 'MISSING_PERMISSIONS')
  })

  it('unarchive a thread, and are refused in a locked one', async () => {
    const thread = await threads.started(brian, home.channel)
    await threads.change(brian, thread, { archived: true })
    expect((await threads.write(brian, thread)).status).toBe(200)
    const metadata = async () => bodyOf(await threads.send(ada, 'GET', `/v1/channels/${thread}`))['thread_metadata']
    expect(await metadata()).toMatchObject({ archived: false })
    await threads.change(ada, thread, { locked: true })
    expectRefusal(await threads.write(brian, thread), 400, 'THREAD_LOCKED')
    expect((await threads.write(ada, thread)).status).toBe(200)
    await threads.change(ada, thread, { archived: true })
    expectRefusal(await threads.write(ada, thread), 400, 'THREAD_ARCHIVED')
  })

  it('respect the slow mode of the thread', async () => {
    const thread = await threads.started(brian, home.channel, { rate_limit_per_user: 60 })
    expect((await threads.write(brian, thread)).status).toBe(200)
    expectRefusal(await threads.write(brian, thread), 400, 'SLOWMODE_RATE_LIMITED')
  })

  it('in a bot’s thread ignore the slow mode of the channel, and so does starting it', async () => {
    const wishes = { name: 'slow', type: 0, rate_limit_per_user: 21_600 }
    const channel = String(bodyOf(await home.send(ada, 'POST', '/channels', wishes))['id'])
    const begun = [await threads.started(bot, channel), await threads.started(bot, channel)]
    expect(new Set(begun).size).toBe(2)
    expect((await threads.write(brian, begun[0] ?? '')).status).toBe(200)
    expect((await threads.write(brian, begun[0] ?? '')).status).toBe(200)
  })
})

describe('Lists of threads', () => {
  let channel: string
  let ids: readonly string[]
  let secret: string

  beforeAll(async () => {
    channel = String(bodyOf(await home.send(ada, 'POST', '/channels', { name: 'lists', type: 0 }))['id'])
    const made: string[] = []
    for (const name of ['Apples', 'Pears', 'Apple pie']) made.push(await threads.started(brian, channel, { name }))
    secret = await threads.started(brian, channel, { name: 'Secret apples', type: 12 })
    for (const thread of [...made.slice(0, 2), secret]) await threads.change(brian, thread, { archived: true })
    ids = made
  })
  const list = async (client: { readonly token: string }, path: string) =>
    bodyOf(await threads.send(client, 'GET', `/v1/channels/${channel}/${path}`))
  const idsOf = (page: Readonly<Record<string, unknown>>) =>
    (page['threads'] as readonly { readonly id: string }[]).map(({ id }) => id)

  it('return to bots what is active and viewable', async () => {
    const path = `/v1/guilds/${home.id}/threads/active`
    const active = idsOf(bodyOf(await guildhall.request('GET', path, { token: bot.token })))
    expect(active).toContain(ids[2])
    for (const id of [...ids.slice(0, 2), secret]) expect(active).not.toContain(id)
  })

  it('page through the archive, archived last first', async () => {
    const page = await list(ada, 'threads/archived/public?limit=2')
    expect(idsOf(page)).toStrictEqual([ids[1], ids[0]])
    expect(page).toMatchObject({ has_more: false, members: [] })
    const [last] = page['threads'] as readonly { readonly thread_metadata: { readonly archive_timestamp: string } }[]
    const before = last?.thread_metadata.archive_timestamp ?? ''
    expect(idsOf(await list(ada, `threads/archived/public?before=${before}`))).toStrictEqual([ids[0]])
    for (const query of ['limit=1', 'limit=101', 'before=yesterday']) {
      const answer = await threads.send(ada, 'GET', `/v1/channels/${channel}/threads/archived/public?${query}`)
      expectRefusal(answer, 400, 'INVALID_FORM_BODY')
    }
  })

  it('show private ones to moderators, and to their members', async () => {
    expect(idsOf(await list(ada, 'threads/archived/private'))).toStrictEqual([secret])
    const refused = await threads.send(brian, 'GET', `/v1/channels/${channel}/threads/archived/private`)
    expectRefusal(refused, 403, 'MISSING_PERMISSIONS')
    expect(idsOf(await list(brian, 'users/@me/threads/archived/private'))).toStrictEqual([secret])
    expect(idsOf(await list(ada, 'users/@me/threads/archived/private'))).toStrictEqual([])
  })

  it('hide private ones from moderators who are timed out', async () => {
    const moderator = await home.member()
    await threads.empower(ada, home.id, moderator.id, 'MANAGE_THREADS')
    expect(idsOf(await list(moderator, 'threads/archived/private'))).toStrictEqual([secret])
    expect(idsOf(await list(moderator, 'threads/search?name=secret'))).toStrictEqual([secret])
    const until = { communication_disabled_until: new Date(Date.now() + 3_600_000).toISOString() }
    bodyOf(await home.send(ada, 'PATCH', `/members/${moderator.id}`, until))
    const refused = await threads.send(moderator, 'GET', `/v1/channels/${channel}/threads/archived/private`)
    expectRefusal(refused, 403, 'COMMUNICATION_DISABLED')
    expect(await list(moderator, 'threads/search?name=secret')).toMatchObject({ threads: [], total_results: 0 })
  })

  it('find threads by a part of their names', async () => {
    const other = await home.member()
    const found = await list(other, 'threads/search?name=APPLE')
    expect(idsOf(found)).toStrictEqual([ids[2], ids[0]])
    expect(found).toMatchObject({ total_results: 2, has_more: false })
    expect(idsOf(await list(brian, 'threads/search?name=apple&sort_order=asc&limit=2'))).toStrictEqual([ids[0], ids[2]])
    expect(idsOf(await list(brian, 'threads/search?archived=false'))).toStrictEqual([ids[2]])
    expect(await list(brian, 'threads/search?limit=1')).toMatchObject({ total_results: 4, has_more: true })
  })

  it('need READ_MESSAGE_HISTORY, and a channel that may have threads', async () => {
    const closed = String(bodyOf(await home.send(ada, 'POST', '/channels', { name: 'closed', type: 0 }))['id'])
    await threads.deny(ada, home.id, closed, 'READ_MESSAGE_HISTORY')
    const path = (of: string) => `/v1/channels/${of}/threads/archived/public`
    expectRefusal(await threads.send(brian, 'GET', path(closed)), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await threads.send(brian, 'GET', path(ids[2] ?? '')), 400, 'INVALID_CHANNEL_TYPE')
    expectRefusal(await threads.send(brian, 'GET', path('1')), 404, 'UNKNOWN_CHANNEL')
  })
})
