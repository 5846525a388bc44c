import { afterAll, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { PermissionName } from '../../../../domain/permissions/permission-bits.ts'
import { administrator } from '../../../support/administrators.ts'
import {
  accept,
  bodyOf,
  expectFields,
  expectRefusal,
  found,
  invite,
  listOf,
  type TestGuild,
} from '../../support/answers.ts'
import { addBot, asBot, newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { file, sendForm } from '../../support/forms.ts'
import { letEveryone, messagesPath, send, sent, settle } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'

const { connect, end } = connections()

const { guildhall, ada, brian, carol, home } = await openScene({})
afterAll(end)

const nowhere = '1'
const create = (account: { readonly token: string }, message: string | object, channel = home.channel) =>
  send(guildhall, account, channel, message)
/** Runs a test while everyone lacks some permissions in the channel. */
async function without(names: readonly PermissionName[], test: () => Promise<void>): Promise<void> {
  await letEveryone(guildhall, ada, home, home.channel, { deny: names })
  try {
    await test()
  } finally {
    await letEveryone(guildhall, ada, home, home.channel, {})
  }
}
const newGuild = async (): Promise<TestGuild> => {
  const guild = await found(guildhall, ada, 'Elsewhere')
  await accept(guildhall, brian, await invite(guildhall, ada, guild.channel))
  return guild
}

describe('Create message', () => {
  it('answers with the message object', async () => {
    const body = bodyOf(await create(brian, { content: '  Hello, world  ', nonce: 'first', tts: false }))
    expect(body).toStrictEqual({
      id: expect.stringMatching(/^\d+$/),
      channel_id: home.channel,
      author: expect.objectContaining({ id: brian.id }),
      type: 0,
      flags: 0,
      content: 'Hello, world',
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      edited_timestamp: null,
      pinned: false,
      mention_everyone: false,
      tts: false,
      mentions: [],
      mention_roles: [],
      embeds: [],
      attachments: [],
      stickers: [],
      nonce: 'first',
    })
    const read = await guildhall.request('GET', messagesPath(home.channel, String(body['id'])), { token: ada.token })
    expect(bodyOf(read)).not.toHaveProperty('nonce')
  })

  it('stores the flags that a sender may set', async () => {
    const body = { content: 'flags', flags: 4 | 32 | 256 | 4096, embeds: [], attachments: null, sticker_ids: [] }
    expect(bodyOf(await create(brian, body))).toMatchObject({ flags: 4 | 4096, embeds: [], stickers: [] })
  })

  it.each([{}, { content: '' }, { content: null }, { content: ' \n\t ' }, { content: '\u200b' }, { embeds: [] }])(
    'is refused with CANNOT_SEND_EMPTY_MESSAGE for %j',
    async (body) => {
      expectRefusal(await create(brian, body), 400, 'CANNOT_SEND_EMPTY_MESSAGE')
    },
  )

  it.each([
    { content: 5 },
    { content: 'x', nonce: '' },
    { content: 'x', nonce: 'n'.repeat(33) },
    { content: 'x', flags: -1 },
    { content: 'x', tts: 'true' },
    ...[['all'], 'users'].map((parse) => ({ content: 'x', allowed_mentions: { parse } })),
    { content: 'x', allowed_mentions: { users: Array.from({ length: 101 }, (_, index) => String(index + 1)) } },
    { content: 'x', message_reference: { message_id: 'x' } },
    { content: 'x', message_reference: { message_id: nowhere, type: 1 } },
    { content: 'x\0y' },
    [],
    'no json',
  ])('is refused with one INVALID_MESSAGE_DATA for %j', async (body) => {
    const options = { token: brian.token, body }
    const answer = await guildhall.request('POST', messagesPath(home.channel), options)
    expectFields(answer, field('message_data', 'INVALID_MESSAGE_DATA'))
  })

  it('is refused with CONTENT_EXCEEDS_MAX_LENGTH above 2000 characters, for bots above 4000', async () => {
    const tooLong = field('content', 'CONTENT_EXCEEDS_MAX_LENGTH')
    expect((await create(brian, '\u{1f600}'.repeat(2000))).status).toBe(200)
    expectFields(await create(brian, 'x'.repeat(2001)), tooLong)
    expectFields(await create(brian, 'x'.repeat(100_000)), tooLong)
    const bot = await newApplication(guildhall, ada)
    await addBot(guildhall, bot, home)
    expect((await create({ token: asBot(bot) }, 'x'.repeat(4000))).status).toBe(200)
    expectFields(await create({ token: asBot(bot) }, 'x'.repeat(4001)), tooLong)
  })

  it('is refused in an unknown channel, to a non-member, and if the channel is not visible', async () => {
    expectRefusal(await create(brian, 'x', nowhere), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await create(carol, 'x'), 403, 'MISSING_PERMISSIONS')
    await without(['VIEW_CHANNEL'], async () => {
      expectRefusal(await create(brian, 'x'), 403, 'MISSING_PERMISSIONS')
    })
  })

  it('is refused in a channel that has no messages', async () => {
    const guild = bodyOf(await guildhall.request('GET', `/v1/guilds/${home.id}`, { token: ada.token }))
    const channels = guild['channels'] as readonly { readonly id: string; readonly type: number }[]
    for (const { id } of channels.filter(({ type }) => type === 2 || type === 4))
      expectRefusal(await create(brian, 'x', id), 400, 'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL')
  })

  it('is refused without SEND_MESSAGES', async () => {
    await without(['SEND_MESSAGES'], async () => {
      expectRefusal(await create(brian, 'x'), 403, 'MISSING_PERMISSIONS')
      expect((await create(ada, 'the owner may')).status).toBe(200)
    })
  })

  it('is read aloud with SEND_TTS_MESSAGES, and without it sent all the same', async () => {
    expect(bodyOf(await create(ada, { content: 'x', tts: true }))).toMatchObject({ tts: true })
    expect(bodyOf(await create(brian, { content: 'x', tts: true }))).toMatchObject({ content: 'x', tts: false })
  })

  it('is refused before the account has ever started a Gateway session, and not afterwards', async () => {
    const dave = await guildhall.register(undefined, { startsSession: false })
    await accept(guildhall, dave, await invite(guildhall, ada, home.channel))
    expectFields(await create(dave, 'x'), field('content', 'MUST_START_SESSION_BEFORE_SENDING'))
    await connect(guildhall, dave)
    expect((await create(dave, 'x')).status).toBe(200)
  })

  it('is refused to an unclaimed account', async () => {
    const guest = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: {} }))
    const unclaimed = { ...brian, token: String(guest['token']) }
    await accept(guildhall, unclaimed, await invite(guildhall, ada, home.channel))
    expectRefusal(await create(unclaimed, 'x'), 400, 'UNCLAIMED_ACCOUNT_CANNOT_SEND_MESSAGES')
  })

  it('is refused to a member who is timed out', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const path = `/v1/guilds/${home.id}/members/${brian.id}`
    const time = (value: string | null) =>
      guildhall.request('PATCH', path, { token: ada.token, body: { communication_disabled_until: value } })
    const mine = await sent(guildhall, brian, home.channel, 'before')
    expect((await time(until)).status).toBe(200)
    expectRefusal(await create(brian, 'x'), 403, 'COMMUNICATION_DISABLED')
    const edit = { token: brian.token, body: { content: 'after' } }
    const edited = await guildhall.request('PATCH', messagesPath(home.channel, mine), edit)
    expectRefusal(edited, 403, 'COMMUNICATION_DISABLED')
    expect((await time(null)).status).toBe(200)
  })

  it('is refused to everybody while SEND_MESSAGE is a disabled operation', async () => {
    await settle(guildhall, home, { disabledOperations: 1 << 4 })
    expectRefusal(await create(ada, 'x'), 403, 'FEATURE_TEMPORARILY_DISABLED')
    await settle(guildhall, home, { disabledOperations: 0 })
  })

  it('is refused below the verification level of the guild, unless the account bypasses it', async () => {
    await settle(guildhall, home, { verificationLevel: 3 })
    expectRefusal(await create(brian, 'x'), 403, 'GUILD_VERIFICATION_REQUIRED')
    expect((await create(ada, 'x')).status).toBe(200)
    await settle(guildhall, home, { verificationLevel: 1 })
    expect((await create(brian, 'x')).status).toBe(200)
    await settle(guildhall, home, { verificationLevel: 0 })
  })

  it('is refused with CONTENT_BLOCKED if the text is on a blocklist', async () => {
    const admin = await administrator(guildhall, '*')
    const listed = { token: admin.token, body: { phrase: 'cheap watches' } }
    expect((await guildhall.request('POST', '/v1/admin/blocklists/phrase/entries', listed)).status).toBe(204)
    await expect.poll(async () => (await create(brian, 'cheap WATCHES')).status).toBe(403)
    expectRefusal(await create(brian, 'cheap watches'), 403, 'CONTENT_BLOCKED')
    const image = { url: 'https://example.org/i.png', description: 'cheap watches' }
    expectRefusal(await create(brian, { embeds: [{ image }] }), 403, 'CONTENT_BLOCKED')
    const named = [file('files[0]', 'cheap watches.txt', 'x')]
    expectRefusal(await sendForm(guildhall, brian, home.channel, named), 403, 'CONTENT_BLOCKED')
  })

  it('returns the first message again for the same nonce, even if it is sent many times at once', async () => {
    const body = { content: 'once', nonce: 'race' }
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(brian, body)))
    const ids = new Set(answers.map((answer) => bodyOf(answer)['id']))
    expect(ids.size).toBe(1)
    expect(bodyOf(await create(ada, body))['id']).not.toBe([...ids][0])
    expect(bodyOf(await create(brian, { content: 'once', nonce: 5 }))['nonce']).toBe('5')
  })

  it('is sent once for an Idempotency-Key, whose answer is not stored', async () => {
    const headers = { 'idempotency-key': 'one message' }
    const request = { token: brian.token, body: { content: 'taken back' }, headers }
    const first = bodyOf(await guildhall.request('POST', messagesPath(home.channel), request))
    const again = bodyOf(await guildhall.request('POST', messagesPath(home.channel), request))
    expect(again).toStrictEqual(first)
    const { rows } = await guildhall.store.database.pool.query('select sealed_answer from http.idempotency_keys')
    expect(rows.filter(({ sealed_answer: answer }) => answer !== null)).toStrictEqual([])
  })
})

describe('mentions', () => {
  it('name accounts, roles and everyone as far as the author may', async () => {
    const text = `<@${ada.id}> <@${carol.id}> <@&${home.id}> @everyone <@5>`
    const body = bodyOf(await create(brian, text))
    // Carol is not in the guild, and the last id belongs to nobody.
    const mentions = [{ id: ada.id }, { id: carol.id }]
    expect(body).toMatchObject({ mentions, mention_roles: [], mention_everyone: false })
    expect(bodyOf(await create(ada, text))).toMatchObject({ mentions, mention_everyone: true })
    await settle(guildhall, home, { disabledOperations: 1 << 1 })
    expect(bodyOf(await create(ada, text))['mention_everyone']).toBe(false)
    await settle(guildhall, home, { disabledOperations: 0 })
  })

  it('are limited to those that the author allows, in one form', async () => {
    const text = `<@${ada.id}> <@${brian.id}>`
    const wanting = async (allowed: object) => create(ada, { content: text, allowed_mentions: allowed })
    expect(bodyOf(await wanting({}))['mentions']).toStrictEqual([])
    expect(bodyOf(await wanting({ users: [brian.id] }))).toMatchObject({ mentions: [{ id: brian.id }] })
    const both = await wanting({ parse: ['users'], users: [brian.id] })
    expectFields(both, field('allowed_mentions', 'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER'))
  })
})

describe('replies', () => {
  /** The system message about the last join. */
  const welcomeIn = async (channel: string) => {
    const read = await guildhall.request('GET', messagesPath(channel), { token: ada.token })
    return listOf(read).find(({ type }) => type === 7)?.['id']
  }
  const replyTo = (message: string, more: object = {}) => ({
    content: 'indeed',
    message_reference: { message_id: message, ...more },
  })

  it('show the original message, and mention its author', async () => {
    const first = await sent(guildhall, ada, home.channel, 'is it so?')
    const reply = bodyOf(await create(brian, replyTo(first, { channel_id: home.channel, guild_id: home.id })))
    expect(reply).toMatchObject({
      type: 19,
      message_reference: { channel_id: home.channel, message_id: first, guild_id: home.id, type: 0 },
      referenced_message: { id: first, content: 'is it so?' },
      mentions: [{ id: ada.id }],
    })
    expect(reply['referenced_message']).not.toHaveProperty('referenced_message')
    const quiet = { ...replyTo(first), allowed_mentions: { replied_user: false } }
    expect(bodyOf(await create(brian, quiet))['mentions']).toStrictEqual([])
    await guildhall.request('DELETE', messagesPath(home.channel, first), { token: ada.token })
    const read = await guildhall.request('GET', messagesPath(home.channel, String(reply['id'])), { token: ada.token })
    expect(bodyOf(read)['referenced_message']).toBeNull()
  })

  it('are refused for a missing message, one elsewhere, or a system message', async () => {
    const other = await newGuild()
    const there = await sent(guildhall, ada, other.channel, 'elsewhere')
    expectRefusal(await create(brian, replyTo(nowhere)), 404, 'UNKNOWN_MESSAGE')
    expectRefusal(await create(brian, replyTo(there)), 404, 'UNKNOWN_MESSAGE')
    expectRefusal(await create(brian, replyTo(there, { channel_id: other.channel })), 404, 'UNKNOWN_MESSAGE')
    const here = await sent(guildhall, ada, home.channel, 'here')
    const wrongGuild = await create(brian, replyTo(here, { guild_id: other.id }))
    expectFields(wrongGuild, field('message_reference.guild_id', 'GUILD_ID_MUST_MATCH_REFERENCED_MESSAGE'))
    await without(['READ_MESSAGE_HISTORY'], async () => {
      expectRefusal(await create(brian, replyTo(here)), 403, 'MISSING_PERMISSIONS')
    })
    await expect.poll(() => welcomeIn(other.channel)).toBeDefined()
    const answer = await create(brian, replyTo(String(await welcomeIn(other.channel))), other.channel)
    expectFields(answer, field('message_reference', 'CANNOT_REPLY_TO_SYSTEM_MESSAGE'))
  })
})
