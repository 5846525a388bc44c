import { describe, expect, it } from 'vitest'
import { withinActiveThreads } from '../../../../application/conversations/threads/within-active-threads.ts'
import { accountId, channelId, guildId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { ThreadStarted } from '../../../../domain/thread/events.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../../support/answers.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { sent } from '../../support/messages.ts'
import { openThreads } from '../../support/threads.ts'

const { guildhall, ada, brian, home, threads } = await openThreads()

const nowhere = '1'
const newChannel = async (body: object = {}): Promise<string> =>
  String(bodyOf(await home.send(ada, 'POST', '/channels', { name: 'talk', type: 0, ...body }))['id'])
const timedOut = async (): Promise<TestAccount> => {
  const member = await home.member()
  const until = new Date(Date.now() + 600_000).toISOString()
  const body = { communication_disabled_until: until }
  expect((await home.send(ada, 'PATCH', `/members/${member.id}`, body)).status).toBe(200)
  return member
}

describe('A thread route', () => {
  it('does not exist for users who do not declare channel_threads', async () => {
    const thread = await threads.started(brian, home.channel)
    const member = `/v1/channels/${thread}/thread-members/@me`
    for (const [method, path] of [
      ['POST', `/v1/channels/${home.channel}/threads`],
      ['PUT', member],
      ['DELETE', member],
      ['PATCH', `${member}/settings`],
      ['GET', `/v1/channels/${home.channel}/threads/archived/public`],
      ['GET', `/v1/channels/${home.channel}/threads/search`],
      ['GET', `/v1/guilds/${home.id}/threads/active`],
    ] as const) {
      expectRefusal(await guildhall.request(method, path, { token: brian.token }), 404, 'NOT_FOUND')
      expectRefusal(await guildhall.request(method, path), 404, 'NOT_FOUND')
    }
    for (const path of [`/v1/channels/${thread}`, `/v1/channels/${thread}/messages`])
      expectRefusal(await guildhall.request('GET', path, { token: brian.token }), 404, 'UNKNOWN_CHANNEL')
  })
})

describe('Start thread', () => {
  it('answers with the thread, which its creator has joined', async () => {
    const body = bodyOf(await threads.start(brian, home.channel, { name: ' Chatter ', rate_limit_per_user: 5 }))
    expect(body).toStrictEqual({
      id: expect.stringMatching(/^\d+$/),
      type: 11,
      guild_id: home.id,
      parent_id: home.channel,
      owner_id: brian.id,
      name: 'Chatter',
      last_message_id: null,
      last_pin_timestamp: null,
      rate_limit_per_user: 5,
      flags: 0,
      thread_metadata: {
        archived: false,
        auto_archive_duration: 4320,
        archive_timestamp: expect.any(String),
        locked: false,
        create_timestamp: expect.any(String),
      },
      message_count: 0,
      total_message_sent: 0,
      member_count: 1,
      member_ids_preview: [brian.id],
      member: {
        id: body['id'],
        user_id: brian.id,
        join_timestamp: expect.any(String),
        flags: 1,
        muted: false,
        mute_config: null,
      },
    })
    const answer = await threads.send(brian, 'GET', `/v1/channels/${String(body['id'])}`)
    expect(bodyOf(answer)).toStrictEqual(body)
  })

  it('announces a public one in its channel by a message of type 18, to clients that understand it', async () => {
    const channel = await newChannel()
    const thread = await threads.started(brian, channel)
    const [message] = listOf(await threads.read(ada, channel))
    expect(message).toMatchObject({ type: 18, content: 'Chatter', message_reference: { channel_id: thread } })
    const plain = await guildhall.request('GET', `/v1/channels/${channel}/messages`, { token: ada.token })
    expect(listOf(plain)).toStrictEqual([])
  })

  it('makes a private one that only its members and moderators see', async () => {
    const channel = await newChannel()
    const thread = await threads.started(brian, channel, { type: 12 })
    const other = await home.member()
    expectRefusal(await threads.send(other, 'GET', `/v1/channels/${thread}`), 403, 'MISSING_ACCESS')
    expectRefusal(await threads.read(other, thread), 403, 'MISSING_ACCESS')
    const body = bodyOf(await threads.send(ada, 'GET', `/v1/channels/${thread}`))
    expect(body).toMatchObject({ type: 12, thread_metadata: { invitable: true } })
    expect(listOf(await threads.read(ada, channel))).toStrictEqual([])
  })

  it('starts one from a message, with its id, once', async () => {
    const message = await sent(guildhall, brian, home.channel, 'A thought')
    const body = bodyOf(await threads.startFrom(ada, home.channel, message, { auto_archive_duration: 60 }))
    expect(body).toMatchObject({ id: message, type: 11, owner_id: ada.id, parent_id: home.channel })
    const again = await threads.startFrom(brian, home.channel, message)
    expectRefusal(again, 400, 'THREAD_ALREADY_CREATED_FOR_MESSAGE')
    const path = `/v1/channels/${home.channel}/messages/${message}`
    expect(bodyOf(await threads.send(brian, 'GET', path))).toMatchObject({ flags: 32, thread: { id: message } })
    const plain = bodyOf(await guildhall.request('GET', path, { token: brian.token }))
    expect(plain).toMatchObject({ flags: 0 })
    expect(plain).not.toHaveProperty('thread')
  })

  it('gives the thread to one of two that start it on one message at once', async () => {
    const message = await sent(guildhall, brian, home.channel, 'A thought')
    const answers = await Promise.all([ada, brian].map((one) => threads.startFrom(one, home.channel, message)))
    expect(answers.map(({ status }) => String(status)).toSorted()).toStrictEqual(['201', '400'])
  })

  it('begins a thread from a message with a message that represents it', async () => {
    const message = await sent(guildhall, brian, home.channel, 'A thought')
    await threads.startFrom(ada, home.channel, message)
    await threads.write(brian, message, 'More of it')
    const [second, first] = listOf(await threads.read(ada, message))
    expect(second).toMatchObject({ type: 0, content: 'More of it' })
    const referenced = { id: message, content: 'A thought' }
    expect(first).toMatchObject({ id: message, type: 21, content: '', referenced_message: referenced })
    const from = `/v1/channels/${message}/messages`
    expect(listOf(await threads.send(ada, 'GET', `${from}?limit=1`))).toHaveLength(1)
    expect(listOf(await threads.send(ada, 'GET', `${from}?after=1&limit=1`))).toMatchObject([{ type: 21 }])
    expect(listOf(await threads.send(ada, 'GET', `${from}?before=${message}`))).toStrictEqual([])
    expect(bodyOf(await threads.send(ada, 'GET', `${from}/${message}`))).toMatchObject({ type: 21 })
  })

  it('refuses in one order', async () => {
    const thread = await threads.started(brian, home.channel)
    const voice = await newChannel({ name: 'loud', type: 2 })
    const hidden = await newChannel()
    await threads.deny(ada, home.id, hidden, 'VIEW_CHANNEL')
    const closed = await newChannel()
    await threads.deny(ada, home.id, closed, 'CREATE_PUBLIC_THREADS', 'CREATE_PRIVATE_THREADS')
    const stranger = await guildhall.register()
    expectRefusal(await threads.start(brian, nowhere), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await threads.start(stranger, home.channel), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await threads.start(brian, hidden), 403, 'MISSING_ACCESS')
    expectRefusal(await threads.start(brian, voice), 400, 'INVALID_CHANNEL_TYPE')
    expectRefusal(await threads.start(brian, thread), 400, 'INVALID_CHANNEL_TYPE')
    expectRefusal(await threads.start(brian, home.channel, { type: 10 }), 400, 'INVALID_CHANNEL_TYPE')
    expectRefusal(await threads.start(brian, closed), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await threads.start(brian, closed, { type: 12 }), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await threads.start(await timedOut(), home.channel), 403, 'COMMUNICATION_DISABLED')
    expectRefusal(await threads.startFrom(brian, home.channel, nowhere), 404, 'UNKNOWN_MESSAGE')
    const unread = await newChannel()
    await threads.deny(ada, home.id, unread, 'READ_MESSAGE_HISTORY')
    expectRefusal(await threads.startFrom(brian, unread, nowhere), 403, 'MISSING_PERMISSIONS')
  })

  it('checks its body', async () => {
    const name = field('name', 'STRING_LENGTH_INVALID')
    expectFields(await threads.start(brian, home.channel, { name: ' ' }), name)
    expectFields(await threads.start(brian, home.channel, { name: 'x'.repeat(101) }), name)
    for (const body of [{ type: 0 }, { auto_archive_duration: 61 }, { rate_limit_per_user: 21_601 }, { invitable: 1 }])
      expectRefusal(await threads.start(brian, home.channel, body), 400, 'INVALID_FORM_BODY')
  })

  it('in an announcement channel makes announcement threads', async () => {
    const news = await newChannel({ name: 'news', type: 5 })
    expect(bodyOf(await threads.start(brian, news, { type: 10 }))).toMatchObject({ type: 10 })
    expectRefusal(await threads.start(brian, news, { type: 12 }), 400, 'INVALID_CHANNEL_TYPE')
  })
})

describe('Start thread in a forum', () => {
  const forum = async (body: object = {}): Promise<Readonly<Record<string, unknown>>> => {
    const wishes = { name: 'ideas', type: 15, available_tags: [{ name: 'Bug' }], ...body }
    return bodyOf(await threads.send(ada, 'POST', `/v1/guilds/${home.id}/channels`, wishes))
  }
  const post = (channel: unknown, body: object) => threads.start(brian, String(channel), { type: undefined, ...body })

  it('makes a post with its first message, which has its id', async () => {
    const { id, available_tags: tags } = await forum()
    const [tag] = tags as readonly { readonly id: string }[]
    const applied_tags = [tag?.id]
    const body = bodyOf(await post(id, { message: { content: 'An idea' }, applied_tags }))
    expect(body).toMatchObject({ type: 11, parent_id: id, applied_tags, flags: 0 })
    const messages = listOf(await threads.read(ada, String(body['id'])))
    expect(messages).toMatchObject([{ id: body['id'], type: 0, content: 'An idea' }])
    const pinned = await threads.change(ada, String(body['id']), { flags: 2, applied_tags: [] })
    expect(bodyOf(pinned)).toMatchObject({ flags: 2 })
    expectRefusal(await threads.change(brian, String(body['id']), { flags: 0 }), 403, 'MISSING_PERMISSIONS')
  })

  it('respects the slow mode of the forum', async () => {
    const { id } = await forum({ rate_limit_per_user: 21_600 })
    const body = { message: { content: 'An idea' } }
    expect((await post(id, body)).status).toBe(201)
    expectRefusal(await post(id, body), 400, 'SLOWMODE_RATE_LIMITED')
  })

  it('starts nothing if the message cannot be sent', async () => {
    const { id } = await forum({ flags: 16 })
    const message = { content: 'An idea' }
    expectFields(await post(id, {}), field('message', 'INVALID_FORMAT'))
    for (const applied_tags of [[], ['1']])
      expectFields(await post(id, { message, applied_tags }), field('applied_tags', 'INVALID_FORMAT'))
    const plain = (await forum())['id']
    expectRefusal(await post(plain, { message: {} }), 400, 'CANNOT_SEND_EMPTY_MESSAGE')
    const tooLong = field('message.content', 'CONTENT_EXCEEDS_MAX_LENGTH')
    expectFields(await post(plain, { message: { content: 'x'.repeat(2001) } }), tooLong)
    const both = { content: 'x', allowed_mentions: { parse: ['users'], users: [ada.id] } }
    const twoWays = field('message.allowed_mentions', 'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER')
    expectFields(await post(plain, { message: both }), twoWays)
    const unknown = { content: 'x', sticker_ids: ['1'] }
    expectFields(await post(plain, { message: unknown }), field('sticker', 'CUSTOM_STICKER_NOT_FOUND'))
    const voiceless = field('attachments', 'VOICE_MESSAGES_REQUIRE_SINGLE_ATTACHMENT')
    expectFields(await post(plain, { message: { content: 'x', flags: 8192 } }), voiceless)
    const found = await threads.send(brian, 'GET', `/v1/channels/${String(plain)}/threads/search`)
    expect(bodyOf(found)).toMatchObject({ total_results: 0 })
  })
})

describe('The slow mode of a channel', () => {
  it('applies to the threads that a member starts in it, counted separately from messages', async () => {
    const channel = await newChannel({ rate_limit_per_user: 21_600 })
    const message = await sent(guildhall, brian, channel, 'A thought')
    const answers = await Promise.all([1, 2, 3].map(() => threads.start(brian, channel)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toStrictEqual([201, 400, 400])
    for (const refused of [await threads.startFrom(brian, channel, message), await threads.start(brian, channel)])
      expectRefusal(refused, 400, 'SLOWMODE_RATE_LIMITED')
    for (const type of [11, 12]) expect((await threads.start(ada, channel, { type })).status).toBe(201)
  })
})

describe('MAX_ACTIVE_THREADS', () => {
  it('is exact however many come at once', async () => {
    const { ports } = guildhall
    const place = await placeOf(guildhall, ada)
    const guild = guildId(snowflake(place.id))
    const attempts = Array.from({ length: 6 }, async (_, index) => {
      const context = testContext()
      const thread = startedIn(place, `${1000 + index}`, context)
      const start = () => ports.aggregates.thread.execute(thread.threadId, { type: 'StartThread', thread }, context)
      return withinActiveThreads(ports, guild, context, start, 3).then(
        () => 'started',
        (error: { readonly refusal?: { readonly code: string } }) => error.refusal?.code,
      )
    })
    const outcomes = await Promise.all(attempts)
    expect(outcomes.filter((outcome) => outcome === 'started')).toHaveLength(3)
    expect(outcomes.filter((outcome) => outcome === 'MAX_ACTIVE_THREADS')).toHaveLength(3)
  })
})

function startedIn(place: Place, id: string, { now }: ReturnType<typeof testContext>): ThreadStarted {
  return {
    threadId: channelId(snowflake(id)),
    guildId: guildId(snowflake(place.id)),
    parentId: channelId(snowflake(place.channel)),
    threadType: 11,
    ownerId: accountId(snowflake(ada.id)),
    starterId: null,
    name: 'Chatter',
    autoArchiveDuration: 60,
    rateLimitPerUser: 0,
    invitable: null,
    flags: 0,
    appliedTags: [],
    createdAt: now,
  }
}
