import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectFields, expectRefusal, invite, type TestGuild } from '../../support/answers.ts'
import { file, payload, sendForm } from '../../support/forms.ts'
import { letEveryone, messagesPath, send, sent, settle } from '../../support/messages.ts'
import { befriend } from '../../support/relationships.ts'
import { foundWith, openScene } from '../../support/scene.ts'
import { openDirect } from '../private-channels/support.ts'

/** Rules of searching messages: rules/messages#search. */

const dataDir = await mkdtemp(path.join(tmpdir(), 'gh-search-'))
const { guildhall, ada, brian, carol } = await openScene({ dataDir, looks_ms: 100 })
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))
let home: TestGuild
beforeEach(async () => {
  home = await foundWith(guildhall, ada, brian)
})

type Members = Readonly<Record<string, unknown>>
const ask = (by: TestAccount, body: Members): Promise<TestAnswer> =>
  guildhall.request('POST', '/v1/search/messages', { token: by.token, body })
const inHome = (body: Members) => ({ context_guild_id: home.id, ...body })
interface Page {
  readonly messages: readonly Members[]
  readonly channels: readonly Members[]
  readonly total: number
}
const pageOf = (answer: TestAnswer) => bodyOf(answer) as unknown as Page
const found = async (by: TestAccount, body: Members) => pageOf(await ask(by, inHome(body))).messages.map(({ id }) => id)
const edit = (by: TestAccount, id: string, body: Members, channel = home.channel) =>
  guildhall.request('PATCH', messagesPath(channel, id), { token: by.token, body })
const remove = (by: TestAccount, id: string) =>
  guildhall.request('DELETE', messagesPath(home.channel, id), { token: by.token })
const channelIn = async (guild: TestGuild, more: Members = {}) =>
  String(
    bodyOf(
      await guildhall.request('POST', `/v1/guilds/${guild.id}/channels`, {
        token: ada.token,
        body: { name: 'more', type: 0, ...more },
      }),
    )['id'],
  )

describe('a search', () => {
  it('finds messages by all of the words, in every script, whatever their case and marks, the newest first', async () => {
    const texts = [
      'Crème brûlée at EIGHT',
      '今天天气很好',
      'Привет, мир',
      'สวัสดีครับ',
      'مرحبا بالعالم',
      'eight o’clock K-Pop',
    ]
    const ids: string[] = []
    for (const text of texts) ids.push(await sent(guildhall, brian, home.channel, text))
    const [dessert, weather, hello, thai, arabic, clock] = ids
    expect(await found(ada, { content: 'eight' })).toStrictEqual([clock, dessert])
    expect(await found(ada, { content: 'eight', sort_order: 'asc' })).toStrictEqual([dessert, clock])
    for (const content of ['BRÛLÉE eight', 'creme brulee', 'brûle\u0301e'])
      expect(await found(ada, { content })).toStrictEqual([dessert])
    expect(await found(ada, { content: 'مَرْحَبًا' })).toStrictEqual([arabic])
    expect(await found(ada, { content: '天气' })).toStrictEqual([weather])
    expect(await found(ada, { content: 'мир' })).toStrictEqual([hello])
    expect(await found(ada, { content: 'สวัสดี' })).toStrictEqual([thai])
    expect(await found(ada, { content: 'kpop' })).toStrictEqual([clock])
    for (const content of ['nine', '!!']) expect(await found(ada, { content })).toStrictEqual([])
    expect(await found(ada, { contents: ['мир', 'brûlée', '...'] })).toStrictEqual([hello, dessert])
    expect(await found(ada, { exact_phrases: ['brûlée AT'] })).toStrictEqual([dessert])
    expect(await found(ada, { exact_phrases: ['at brûlée'] })).toStrictEqual([])
    for (const written of ['İstanbul Üsküdar', 'ΣΊΣΥΦΟΣ', '“＂quoted＂” \\ back'])
      for (const what of [{ content: written }, { content: 'x', embeds: [{ title: written }] }]) {
        const id = await sent(guildhall, brian, home.channel, what)
        expect((await found(ada, { exact_phrases: [written] }))[0]).toBe(id)
      }
  })

  it('finds the last words of long texts, with and without spaces', async () => {
    const chinese = Array.from({ length: 1900 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('')
    const ids = [
      await sent(guildhall, brian, home.channel, `${'word '.repeat(390)}needle`),
      await sent(guildhall, brian, home.channel, chinese),
    ]
    expect(await found(ada, { content: 'needle' })).toStrictEqual([ids[0]])
    for (const at of [0, 149, 150, 151, 1898])
      expect(await found(ada, { content: chinese.slice(at, at + 2) })).toStrictEqual([ids[1]])
  })

  it('gives pages with the total, the channels, and messages without those that they answer', async () => {
    const first = await sent(guildhall, brian, home.channel, 'tea one')
    await send(guildhall, brian, home.channel, { content: 'tea two', message_reference: { message_id: first } })
    const other = await channelIn(home)
    await sent(guildhall, ada, other, 'tea three')
    const pageOfTwo = async (page: number) => pageOf(await ask(ada, inHome({ content: 'tea', hits_per_page: 2, page })))
    const newest = await pageOfTwo(1)
    expect(newest).toMatchObject({
      messages: [{ content: 'tea three' }, { content: 'tea two', type: 19 }],
      channels: [{ id: other }, { id: home.channel }],
      total: 3,
    })
    expect(newest).toMatchObject({ hits_per_page: 2, page: 1 })
    expect(newest.messages[1]).not.toHaveProperty('referenced_message')
    expect(await pageOfTwo(2)).toMatchObject({ messages: [{ id: first }], total: 3, page: 2 })
    expect(await pageOfTwo(Number.MAX_SAFE_INTEGER)).toMatchObject({ messages: [], total: 3 })
    expect(await found(ada, { content: 'tea', min_id: first })).toHaveLength(2)
    expect(await found(ada, { content: 'tea', max_id: newest.messages[0]?.['id'] })).toHaveLength(2)
    for (const one of [{ channel_ids: [other] }, { channel_id: [other] }])
      expect(await found(ada, { content: 'tea', ...one })).toHaveLength(1)
    expect(await found(ada, { content: 'tea', channel_ids: [] })).toStrictEqual(await found(ada, { content: 'tea' }))
    expect(await found(ada, { content: 'tea', exclude_channel_id: [other] })).toHaveLength(2)
    expect(await found(ada, { content: 'tea', sort_by: 'relevance' })).toHaveLength(3)
  })

  it('finds by author, mentions, everyone and pins', async () => {
    const [plain, named, all] = [
      await sent(guildhall, brian, home.channel, 'plain'),
      await sent(guildhall, brian, home.channel, `hello <@${carol.id}>`),
      await sent(guildhall, ada, home.channel, '@everyone listen'),
    ]
    const of = (ids: readonly unknown[]) => ids.filter((id) => [plain, named, all].includes(String(id)))
    expect(of(await found(ada, { author_id: [brian.id] }))).toStrictEqual([named, plain])
    expect(of(await found(ada, { exclude_author_id: [brian.id] }))).toStrictEqual([all])
    expect(of(await found(ada, { mentions: [carol.id] }))).toStrictEqual([named])
    expect(of(await found(ada, { exclude_mentions: [carol.id] }))).toStrictEqual([all, plain])
    expect(of(await found(ada, { mention_everyone: true }))).toStrictEqual([all])
    await guildhall.request('PUT', `/v1/channels/${home.channel}/pins/${plain}`, { token: ada.token })
    expect(await found(ada, { pinned: true })).toStrictEqual([plain])
    expect(of(await found(ada, { pinned: false }))).toStrictEqual([all, named])
  })

  it('finds by what a message has: files, links, embeds, and forwards by what they show', async () => {
    const withFile = String(
      bodyOf(await sendForm(guildhall, brian, home.channel, [payload({}), file('files[0]', 'Map.TXT', 'the map')]))[
        'id'
      ],
    )
    const withSound = String(
      bodyOf(await sendForm(guildhall, brian, home.channel, [payload({}), file('files[0]', 'a.ogg', 'sound')]))['id'],
    )
    const link = await sent(guildhall, brian, home.channel, 'see https://Example.org/page?x=1')
    const box = await sent(guildhall, brian, home.channel, { content: 'x', embeds: [{ title: 'Marmalade' }] })
    const message_reference = { type: 1, channel_id: home.channel, message_id: box }
    const forward = String(bodyOf(await send(guildhall, brian, home.channel, { message_reference }))['id'])
    expect(await found(ada, { has: ['file'] })).toStrictEqual([withSound, withFile])
    expect(await found(ada, { has: ['sound', 'file'] })).toStrictEqual([withSound])
    expect(await found(ada, { has: ['file'], exclude_has: ['sound'] })).toStrictEqual([withFile])
    expect(await found(ada, { attachment_filename: ['Map.TXT', 'other'] })).toStrictEqual([withFile])
    expect(await found(ada, { attachment_extension: ['txt'] })).toStrictEqual([withFile])
    expect(await found(ada, { has: ['link'] })).toStrictEqual([link])
    expect(await found(ada, { link_hostname: ['example.org'] })).toStrictEqual([link])
    expect(await found(ada, { has: ['embed'] })).toStrictEqual([forward, box])
    expect(await found(ada, { has: ['snapshot'] })).toStrictEqual([forward])
    expect(await found(ada, { content: 'marmalade' })).toStrictEqual([forward, box])
    for (const kind of ['sticker', 'poll', 'video', 'image'])
      expect(await found(ada, { has: [kind] })).toStrictEqual([])
  })

  it('finds nothing by a name that is longer than any file has, and everything without it', async () => {
    const id = await sent(guildhall, brian, home.channel, 'apricot')
    const name = '語'.repeat(1024)
    expect(await found(ada, { attachment_filename: [name] })).toStrictEqual([])
    expect(await found(ada, { content: 'apricot', exclude_attachment_filename: [name] })).toStrictEqual([id])
  })

  it('follows edits, suppression and deletion', async () => {
    const id = await sent(guildhall, brian, home.channel, { content: 'apricot', embeds: [{ title: 'Quince' }] })
    await edit(brian, id, { content: 'plum' })
    expect(await found(ada, { content: 'apricot' })).toStrictEqual([])
    await expect.poll(() => found(ada, { content: 'plum quince' })).toStrictEqual([id])
    await edit(ada, id, { flags: 4 })
    expect(await found(ada, { content: 'quince' })).toStrictEqual([])
    await expect.poll(() => found(ada, { content: 'plum' })).toStrictEqual([id])
    expect(await found(ada, { content: 'quince' })).toStrictEqual([])
    await edit(ada, id, { flags: 0 })
    await expect.poll(() => found(ada, { content: 'quince', has: ['embed'] })).toStrictEqual([id])
    await remove(brian, id)
    expect(await found(ada, { content: 'plum' })).toStrictEqual([])
  })
})

describe('a search shows no more than the caller may read at that moment', () => {
  it('in a guild: channels with VIEW_CHANNEL and READ_MESSAGE_HISTORY; in a channel what its history allows', async () => {
    const id = await sent(guildhall, ada, home.channel, 'secret')
    const inChannel = { context_channel_id: home.channel, content: 'secret' }
    expect(await found(brian, { content: 'secret' })).toStrictEqual([id])
    await letEveryone(guildhall, ada, home, home.channel, { deny: ['READ_MESSAGE_HISTORY'] })
    expect(await found(brian, { content: 'secret' })).toStrictEqual([])
    expect(pageOf(await ask(brian, inChannel))).toMatchObject({ messages: [], total: 0 })
    expectRefusal(await ask(brian, inHome({ channel_ids: [home.channel] })), 403, 'MISSING_PERMISSIONS')
    const read = await guildhall.request('GET', messagesPath(home.channel, id), { token: ada.token })
    await settle(guildhall, home, { messageHistoryCutoff: bodyOf(read)['timestamp'] as never })
    expect(pageOf(await ask(brian, inChannel)).messages).toMatchObject([{ id }])
    expect(await found(brian, { content: 'secret' })).toStrictEqual([])
    await letEveryone(guildhall, ada, home, home.channel, { deny: ['VIEW_CHANNEL'] })
    expect(await found(brian, { content: 'secret' })).toStrictEqual([])
    expectRefusal(await ask(brian, inChannel), 403, 'MISSING_PERMISSIONS')
    expect(await found(ada, { content: 'secret' })).toStrictEqual([id])
    expectRefusal(await ask(carol, inHome({ content: 'secret' })), 403, 'MISSING_PERMISSIONS')
  })

  it('in threads: those that are active, for who may view them; private ones for their members', async () => {
    const headers = { 'x-service-features': 'channel_threads' }
    const start = async (type: number) => {
      const body = { name: 'a thread', type }
      const path = `/v1/channels/${home.channel}/threads`
      const thread = String(bodyOf(await guildhall.request('POST', path, { token: ada.token, headers, body }))['id'])
      const written = { token: ada.token, headers, body: { content: `walnut ${type}` } }
      bodyOf(await guildhall.request('POST', messagesPath(thread), written))
      return thread
    }
    const [open, closed] = [await start(11), await start(12)]
    const ofThreads = async (by: TestAccount, more: Members = {}) => {
      const asked = { token: by.token, headers, body: inHome({ content: 'walnut', ...more }) }
      return pageOf(await guildhall.request('POST', '/v1/search/messages', asked)).channels.map(({ id }) => id)
    }
    expect(await ofThreads(ada)).toStrictEqual([closed, open])
    expect(await ofThreads(brian)).toStrictEqual([open])
    expect(await ofThreads(brian, { channel_ids: [open] })).toStrictEqual([open])
    expect(await found(brian, { content: 'walnut' })).toStrictEqual([])
    const archived = { token: ada.token, headers, body: { archived: true } }
    for (const thread of [open, closed]) bodyOf(await guildhall.request('PATCH', `/v1/channels/${thread}`, archived))
    expect(await ofThreads(ada)).toStrictEqual([])
    expect(await ofThreads(ada, { channel_ids: [open, closed] })).toStrictEqual([closed, open])
    expect(await ofThreads(brian, { channel_ids: [open] })).toStrictEqual([open])
    const asked = { token: brian.token, headers, body: inHome({ channel_ids: [closed] }) }
    expectRefusal(await guildhall.request('POST', '/v1/search/messages', asked), 403, 'MISSING_PERMISSIONS')
    // To a client without threads there is no such channel.
    expectFields(
      await ask(brian, inHome({ channel_ids: [open] })),
      field('channel_ids', 'ALL_CHANNELS_MUST_BELONG_TO_GUILD'),
    )
  })

  it('in age-restricted channels: only if they are asked for, by adults', async () => {
    const adults = await channelIn(home, { nsfw: true })
    const id = await sent(guildhall, ada, adults, 'cognac')
    expect(await found(ada, { content: 'cognac' })).toStrictEqual([])
    expect(await found(ada, { content: 'cognac', include_nsfw: true })).toStrictEqual([id])
    expect(await found(ada, { content: 'cognac', channel_ids: [adults] })).toStrictEqual([id])
    const birth = `${new Date().getUTCFullYear() - 15}-01-01`
    const registration = { email: 'younger@example.com', password: 'a password', date_of_birth: birth, consent: true }
    const registered = await guildhall.request('POST', '/v1/auth/register', { body: registration })
    const child = { token: String(bodyOf(registered)['token']) } as TestAccount
    await accept(guildhall, child, await invite(guildhall, ada, home.channel))
    expect(await found(child, { content: 'cognac', include_nsfw: true })).toStrictEqual([])
    const inChannel = { context_channel_id: adults, content: 'cognac' }
    expectRefusal(await ask(child, inChannel), 403, 'NSFW_CONTENT_AGE_RESTRICTED')
  })

  it('in other scopes: own private channels and guilds', async () => {
    const [one, other] = [await guildhall.register(), await guildhall.register()]
    await befriend(guildhall, one, other)
    const direct = await openDirect(guildhall, one, other)
    const guild = await foundWith(guildhall, other, one)
    const written = {
      direct: await sent(guildhall, other, direct, 'turnip'),
      note: await sent(guildhall, one, one.id, 'turnip'),
      guild: await sent(guildhall, other, guild.channel, 'turnip'),
    }
    const scoped = async (by: TestAccount, scope: string, more: Members = {}) =>
      pageOf(await ask(by, { scope, content: 'turnip', ...more })).messages.map(({ id }) => id)
    expect(await scoped(one, 'open_dms')).toStrictEqual([written.note, written.direct])
    expect(await scoped(other, 'all_dms')).toStrictEqual([written.direct])
    expect(await scoped(one, 'all_guilds')).toStrictEqual([written.guild])
    expect(await scoped(one, 'all')).toHaveLength(3)
    expect(await scoped(one, 'open_dms_and_all_guilds', { channel_ids: [direct] })).toStrictEqual([written.direct])
    expect(await scoped(ada, 'all')).toStrictEqual([])
    await guildhall.request('DELETE', `/v1/channels/${direct}`, { token: one.token })
    expect(await scoped(one, 'open_dms')).toStrictEqual([written.note])
    expect(await scoped(one, 'all_dms')).toStrictEqual([written.note, written.direct])
    const inDirect = await ask(one, { context_channel_id: direct, content: 'turnip' })
    expect(pageOf(inDirect)).toMatchObject({ messages: [{ id: written.direct }], channels: [{ id: direct, type: 1 }] })
    expectRefusal(await ask(ada, { context_channel_id: direct, content: 'turnip' }), 404, 'UNKNOWN_CHANNEL')
  })
})

describe('a search is refused', () => {
  it('without a place, for channels of other guilds, unknown guilds, and what is not supported', async () => {
    expectFields(await ask(ada, { content: 'x' }), field('context', 'CONTEXT_CHANNEL_OR_GUILD_ID_REQUIRED'))
    const elsewhere = await foundWith(guildhall, ada, brian)
    expectFields(
      await ask(ada, inHome({ channel_ids: [home.channel, elsewhere.channel] })),
      field('channel_ids', 'ALL_CHANNELS_MUST_BELONG_TO_GUILD'),
    )
    expectRefusal(await ask(ada, { context_guild_id: '1', content: 'x' }), 404, 'UNKNOWN_GUILD')
    for (const body of [
      { author_type: ['server'] },
      { author_type: Array.from({ length: 21 }, () => 'bot') },
      { hits_per_page: 26 },
      { has: ['cake'] },
      { content: '' },
    ])
      expectRefusal(await ask(ada, inHome(body)), 400, 'INVALID_FORM_BODY')
    expect((await ask(ada, inHome({ author_type: null, exclude_author_type: [], content: null }))).status).toBe(200)
  })
})
