import { afterAll, describe, expect, it } from 'vitest'
import { disabledOperationBits } from '../../../../domain/guild/state.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../../support/answers.ts'
import { addBot, asBot, newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { letEveryone, messagesPath, sent, settle } from '../../support/messages.ts'
import { befriend } from '../../support/relationships.ts'
import { reactionsOn } from '../../support/reactions.ts'
import { openScene } from '../../support/scene.ts'
import { openDirect, openGroup } from '../private-channels/support.ts'

const { connect, end } = connections()
const { guildhall, ada, brian, carol, home } = await openScene()
const reactions = reactionsOn(guildhall, home.channel)
afterAll(end)

const unknownMessage = '1500000000000000000'
const group = (name: string, count: number, me = false) => ({ emoji: { name }, count, ...(me ? { me } : {}) })

describe('Add reaction', () => {
  it('counts accounts in the order of the first reactions, says which are the own, and repeats nothing', async () => {
    const message = await sent(guildhall, ada, home.channel, 'hello')
    expect(await reactions.of(ada, message)).toBeUndefined()
    for (const [who, emoji] of [
      [ada, '👍'],
      [brian, '❤️'],
      [brian, '👍'],
      [brian, '👍'],
    ] as const)
      expect((await reactions.add(who, message, emoji)).status).toBe(204)
    expect(await reactions.of(ada, message)).toStrictEqual([group('👍', 2, true), group('❤️', 1)])
    expect(await reactions.of(brian, message)).toStrictEqual([group('👍', 2, true), group('❤️', 1, true)])
    const [listed] = listOf(
      await guildhall.request('GET', `${messagesPath(home.channel)}?limit=1`, { token: ada.token }),
    )
    expect(listed?.['reactions']).toStrictEqual([group('👍', 2, true), group('❤️', 1)])
    const reply = { content: 'yes', message_reference: { message_id: message } }
    const answer = bodyOf(
      await guildhall.request('POST', messagesPath(home.channel), { token: brian.token, body: reply }),
    )
    expect(answer['referenced_message']).toMatchObject({ reactions: [group('👍', 2, true), group('❤️', 1, true)] })
  })

  it('takes exactly one emoji of Unicode, in any of its forms', async () => {
    const message = await sent(guildhall, ada, home.channel, 'emojis')
    for (const emoji of ['❤', '❤️', '🏳️‍🌈', '1️⃣', '👩🏽‍🚒'])
      expect((await reactions.add(ada, message, emoji)).status).toBe(204)
    const names = (await reactions.of(ada, message)) as readonly { readonly emoji: { readonly name: string } }[]
    expect(names.map(({ emoji }) => emoji.name)).toStrictEqual(['❤️', '🏳️‍🌈', '1️⃣', '👩🏽‍🚒'])
    for (const emoji of ['a', '1', '👍👍', 'thumbsup:', ':x'])
      expectFields(await reactions.add(ada, message, emoji), { path: 'emoji', code: 'NOT_A_VALID_UNICODE_EMOJI' })
    expectFields(await reactions.add(ada, message, 'wave:1500000000000000000'), {
      path: 'emoji',
      code: 'CUSTOM_EMOJI_NOT_FOUND',
    })
    expect((await reactions.add(ada, message, 'x'.repeat(65))).status).toBe(400)
    expect((await reactions.add(ada, message, '👍', `?session_id=${'x'.repeat(65)}`)).status).toBe(400)
  })

  it('needs ADD_REACTIONS for the first reaction with an emoji alone, and refuses before it looks at the emoji', async () => {
    const message = await sent(guildhall, ada, home.channel, 'permissions')
    await reactions.add(ada, message, '👍')
    await letEveryone(guildhall, ada, home, home.channel, { deny: ['ADD_REACTIONS'] })
    expect((await reactions.add(brian, message, '👍')).status).toBe(204)
    expectRefusal(await reactions.add(brian, message, 'nonsense'), 403, 'MISSING_PERMISSIONS')
    await letEveryone(guildhall, ada, home, home.channel, { deny: ['READ_MESSAGE_HISTORY'] })
    expectRefusal(await reactions.add(brian, message, '👍'), 403, 'MISSING_PERMISSIONS')
    await letEveryone(guildhall, ada, home, home.channel, {})
    expectRefusal(await reactions.add(brian, unknownMessage, '👍'), 404, 'UNKNOWN_MESSAGE')
    expectRefusal(await reactions.add(carol, message, '👍'), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await reactionsOn(guildhall, unknownMessage).add(ada, message, '👍'), 404, 'UNKNOWN_CHANNEL')
  })

  it('refuses while the guild has reactions turned off, and who is timed out', async () => {
    const message = await sent(guildhall, ada, home.channel, 'off')
    await settle(guildhall, home, { disabledOperations: disabledOperationBits.REACTIONS })
    for (const refused of [
      await reactions.add(ada, unknownMessage, '👍'),
      await reactions.remove(ada, unknownMessage, '👍'),
      await reactions.removeAll(ada, message),
    ])
      expectRefusal(refused, 403, 'FEATURE_TEMPORARILY_DISABLED')
    await settle(guildhall, home, { disabledOperations: 0 })
    const until = { communication_disabled_until: new Date(Date.now() + 3_600_000).toISOString() }
    const path = `/v1/guilds/${home.id}/members/${brian.id}`
    bodyOf(await guildhall.request('PATCH', path, { token: ada.token, body: until }))
    expectRefusal(await reactions.add(brian, message, '👍'), 403, 'COMMUNICATION_DISABLED')
    expect((await reactions.remove(brian, message, '👍')).status).toBe(204)
    const lifted = { communication_disabled_until: null }
    bodyOf(await guildhall.request('PATCH', path, { token: ada.token, body: lifted }))
  })

  it('works for a bot that never began a session, and keeps to 30 emojis among many at once', async () => {
    const bot = await newApplication(guildhall, ada)
    await addBot(guildhall, bot, home)
    const message = await sent(guildhall, ada, home.channel, 'thirty')
    const faces = Array.from({ length: 29 }, (_, index) => String.fromCodePoint(0x1f600 + index))
    for (const face of faces) {
      const answer = await reactions.add({ token: asBot(bot) }, message, face)
      if (answer.status === 429) throw new Error('the bucket is too small for this test')
      expect(answer.status).toBe(204)
    }
    const answers = await Promise.all(['🐶', '🐱', '🐭', '🐹'].map((animal) => reactions.add(brian, message, animal)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toStrictEqual([
      204, 400, 400, 400,
    ])
    for (const refused of answers.filter(({ status }) => status === 400)) expectRefusal(refused, 400, 'MAX_REACTIONS')
    expect(await reactions.of(ada, message)).toHaveLength(30)
    expect((await reactions.add(brian, message, faces[0] ?? '')).status).toBe(204)
  })
})

describe('Remove reaction', () => {
  it('takes back the own one, and does nothing for a message that is not there', async () => {
    const message = await sent(guildhall, ada, home.channel, 'back')
    await reactions.add(brian, message, '👍')
    expect((await reactions.remove(brian, message, '👍')).status).toBe(204)
    expect((await reactions.remove(brian, message, '👍')).status).toBe(204)
    expect(await reactions.of(ada, message)).toBeUndefined()
    for (const answer of [
      await reactions.remove(brian, unknownMessage, '👍'),
      await reactions.remove(brian, unknownMessage, '👍', ada.id),
      await reactions.removeEmoji(brian, unknownMessage, '👍'),
      await reactions.removeAll(brian, unknownMessage),
    ])
      expect(answer.status).toBe(204)
  })

  it('lets the author and moderators remove those of others, and nobody else', async () => {
    const message = await sent(guildhall, brian, home.channel, 'clear')
    for (const emoji of ['👍', '❤️', '🎉']) for (const who of [ada, brian]) await reactions.add(who, message, emoji)
    const ofAda = await sent(guildhall, ada, home.channel, 'not yours')
    await reactions.add(ada, ofAda, '👍')
    for (const refused of [
      await reactions.remove(brian, ofAda, '👍', ada.id),
      await reactions.removeEmoji(brian, ofAda, '👍'),
      await reactions.removeAll(brian, ofAda),
    ])
      expectRefusal(refused, 403, 'MISSING_PERMISSIONS')
    expect((await reactions.remove(brian, message, '👍', ada.id)).status).toBe(204)
    expect((await reactions.remove(ada, message, '👍', brian.id)).status).toBe(204)
    expect(await reactions.of(ada, message)).toStrictEqual([group('❤️', 2, true), group('🎉', 2, true)])
    expect((await reactions.removeEmoji(ada, message, '❤')).status).toBe(204)
    expect(await reactions.of(ada, message)).toStrictEqual([group('🎉', 2, true)])
    expect((await reactions.removeAll(brian, message)).status).toBe(204)
    expect(await reactions.of(ada, message)).toBeUndefined()
  })
})

describe('List reactions', () => {
  it('gives the accounts by their ids, page by page, in both forms', async () => {
    const message = await sent(guildhall, ada, home.channel, 'list')
    for (const who of [brian, ada]) await reactions.add(who, message, '👍')
    const sorted = [ada.id, brian.id].toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1))
    const [first, second] = sorted
    const whole = await reactions.list(ada, message, '👍')
    expect(listOf(whole).map(({ id }) => id)).toStrictEqual(sorted)
    expect([whole.headers.get('x-has-more'), whole.headers.get('x-next-after')]).toStrictEqual(['false', null])
    const page = await reactions.list(brian, message, '👍', '?limit=1')
    expect(listOf(page).map(({ id }) => id)).toStrictEqual([first])
    expect([page.headers.get('x-has-more'), page.headers.get('x-next-after')]).toStrictEqual(['true', first])
    const users = bodyOf(await reactions.users(brian, message, '👍', '?limit=1'))
    expect(users).toMatchObject({ items: [{ id: first }], has_more: true, next_after: first })
    const rest = bodyOf(await reactions.users(brian, message, '👍', `?limit=1&after=${first}`))
    expect(rest).toMatchObject({ items: [{ id: second }], has_more: false, next_after: null })
    expect(listOf(await reactions.list(ada, message, 'none'))).toStrictEqual([])
    expect((await reactions.list(ada, message, '👍', '?limit=101')).status).toBe(400)
    expectRefusal(await reactions.list(ada, unknownMessage, '👍'), 404, 'UNKNOWN_MESSAGE')
  })
})

describe('the Gateway', () => {
  it('tells of each change, with the member in a guild, and not the session that made it', async () => {
    const { client } = await connect(guildhall, ada)
    const acting = (await connect(guildhall, brian)).client
    const message = await sent(guildhall, ada, home.channel, 'told')
    const of = { channel_id: home.channel, guild_id: home.id, message_id: message }
    const member = expect.objectContaining({ user: expect.objectContaining({ id: brian.id }) })
    await reactions.add(brian, message, '👍', `?session_id=${acting.sessionId}`)
    const one = { ...of, user_id: brian.id, emoji: { name: '👍' }, member }
    expect((await client.dispatch('MESSAGE_REACTION_ADD')).d).toStrictEqual(one)
    await reactions.remove(brian, message, '👍', '@me', `?session_id=${acting.sessionId}`)
    expect((await client.dispatch('MESSAGE_REACTION_REMOVE')).d).toStrictEqual(one)
    await reactions.removeEmoji(ada, message, '🎉')
    expect((await client.dispatch('MESSAGE_REACTION_REMOVE_EMOJI')).d).toStrictEqual({ ...of, emoji: { name: '🎉' } })
    await reactions.removeAll(ada, message)
    expect((await client.dispatch('MESSAGE_REACTION_REMOVE_ALL')).d).toStrictEqual(of)
    const before = await acting.until(({ t }) => t === 'MESSAGE_REACTION_REMOVE_ALL', 'the last')
    expect(before.filter(({ t }) => t === 'MESSAGE_REACTION_ADD' || t === 'MESSAGE_REACTION_REMOVE')).toStrictEqual([])
  })

  it('shows the reactions of an edited message, and to each account which are its own', async () => {
    const message = await sent(guildhall, ada, home.channel, 'before')
    await reactions.add(brian, message, '👍')
    const clients = [(await connect(guildhall, ada)).client, (await connect(guildhall, brian)).client]
    const body = { content: 'after' }
    bodyOf(await guildhall.request('PATCH', messagesPath(home.channel, message), { token: ada.token, body }))
    const heard = clients.map(async (client) => (await client.dispatch('MESSAGE_UPDATE')).d['reactions'])
    expect(await Promise.all(heard)).toStrictEqual([[group('👍', 1)], [group('👍', 1, true)]])
  })

  it('tells nobody who has left a group meanwhile of what was collected', async () => {
    const [owner, member, leaver] = [await guildhall.register(), await guildhall.register(), await guildhall.register()]
    for (const friend of [member, leaver]) await befriend(guildhall, owner, friend)
    const channel = await openGroup(guildhall, owner, member, leaver)
    const message = await sent(guildhall, owner, channel, 'hello')
    const [staying, leaving] = [
      (await connect(guildhall, member, { flags: 2 })).client,
      (await connect(guildhall, leaver, { flags: 2 })).client,
    ]
    const inGroup = reactionsOn(guildhall, channel)
    for (const emoji of ['👍', '🎉']) await inGroup.add(owner, message, emoji)
    const removal = `/v1/channels/${channel}/recipients/${leaver.id}`
    expect((await guildhall.request('DELETE', removal, { token: owner.token })).status).toBeLessThan(300)
    expect((await staying.dispatch('MESSAGE_REACTION_ADD_MANY')).d).toMatchObject({ message_id: message })
    await leaving.dispatch('CHANNEL_DELETE')
    await befriend(guildhall, leaver, member)
    const told = await leaving.until(({ t }) => t === 'RELATIONSHIP_UPDATE' || t === 'RELATIONSHIP_ADD', 'a friend')
    const names = told.map(({ t }) => String(t))
    const after = names.slice(names.indexOf('CHANNEL_DELETE'))
    expect(after.filter((name) => name.startsWith('MESSAGE_REACTION'))).toStrictEqual([])
  })

  it('collects reactions in private channels for sessions that asked for it', async () => {
    const [one, other] = [await guildhall.register(), await guildhall.register()]
    await befriend(guildhall, one, other)
    const direct = await openDirect(guildhall, one, other)
    const inDirect = reactionsOn(guildhall, direct)
    const message = await sent(guildhall, one, direct, 'hello')
    const [plain, debounced] = [
      (await connect(guildhall, one)).client,
      (await connect(guildhall, one, { flags: 2 })).client,
    ]
    for (const emoji of ['👍', '🎉', '❤️']) await inDirect.add(other, message, emoji, '?session_id=abc')
    await inDirect.remove(other, message, '🎉')
    const { d } = await debounced.dispatch('MESSAGE_REACTION_ADD_MANY')
    expect(d).toStrictEqual({
      channel_id: direct,
      message_id: message,
      reactions: ['👍', '❤️'].map((name) => ({ user_id: other.id, emoji: { name } })),
    })
    const alone = {
      channel_id: direct,
      message_id: message,
      user_id: other.id,
      emoji: { name: '👍' },
      session_id: 'abc',
    }
    expect((await plain.dispatch('MESSAGE_REACTION_ADD')).d).toStrictEqual(alone)
    expect((await plain.dispatch('MESSAGE_REACTION_REMOVE')).d).toMatchObject({ emoji: { name: '🎉' } })
    await inDirect.add(one, message, '🎉')
    expect((await debounced.dispatch('MESSAGE_REACTION_ADD')).d).toMatchObject({
      user_id: one.id,
      emoji: { name: '🎉' },
    })
    expectRefusal(await inDirect.remove(other, message, '🎉', one.id), 403, 'MISSING_PERMISSIONS')
    expect((await inDirect.removeAll(one, message)).status).toBe(204)
    const gone = await debounced.until(({ t }) => t === 'MESSAGE_REACTION_REMOVE_ALL', 'the last')
    expect(gone.map(({ t }) => t)).not.toContain('MESSAGE_REACTION_REMOVE')
  })
})
