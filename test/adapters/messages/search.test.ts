import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openMessages, type OpenMessages } from '../../../adapters/messages/open-messages.ts'
import { indexAll } from '../../../adapters/messages/index-words.ts'
import { countedMatches_max, unindexed_max } from '../../../adapters/messages/search.ts'
import type { MessageSearchQuery } from '../../../application/ports/message-search.ts'
import { accountId, type MessageId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { at, audience, general, message, other, posted } from '../../contract/messages-fixtures.ts'
import { heldPosition } from '../../support/held-position.ts'
import { laidDatabase } from '../../support/test-database.ts'

let opened: Awaited<ReturnType<typeof laidDatabase>>
let store: OpenMessages
beforeAll(async () => {
  opened = await laidDatabase()
  const { database, notifier } = opened
  store = openMessages({ database, heldPosition, notifier, onError: (error) => expect.unreachable(String(error)) })
})
afterAll(async () => {
  await store.close()
  await opened.close()
})
beforeEach(() => opened.database.pool.query('truncate messages.messages'))

const nothing: MessageSearchQuery['excluded'] = {
  authors: [],
  authorTypes: [],
  mentions: [],
  has: [],
  embedTypes: [],
  embedProviders: [],
  linkHosts: [],
  filenames: [],
  extensions: [],
}

const search = (words: readonly string[], more: Partial<MessageSearchQuery> = {}) =>
  store.messageSearch.search({
    places: [{ channelId: general, from: null }],
    guildId: null,
    sought: { ...nothing, words, anyWords: [], phrases: [] },
    excluded: nothing,
    excludedChannels: [],
    withoutTypes: [],
    mentionsEveryone: null,
    pinned: null,
    after: null,
    before: null,
    sort: 'timestamp',
    oldestFirst: false,
    offset: 0,
    limit: 25,
    ...more,
  })
async function ids(words: readonly string[], more: Partial<MessageSearchQuery> = {}): Promise<readonly MessageId[]> {
  const found = await search(words, more)
  if (found === 'indexing') throw new Error('The index is being built')
  return found.messages.map(({ id }) => id)
}
const forget = () => opened.database.pool.query('update messages.messages set words = null')

describe('the index of words', () => {
  it('has a message from the moment that it is posted, alone or together with others', async () => {
    await Promise.all([1, 2, 3].map((second) => posted(store.messages, [at(second)], { content: 'apple pie' })))
    await store.messages.post({ message: message(at(4), { content: 'apple' }), nonce: 'n', audience: audience() })
    expect(await ids(['apple'])).toStrictEqual([at(4), at(3), at(2), at(1)])
    expect(await ids(['apple', 'pie'], { oldestFirst: true })).toStrictEqual([at(1), at(2), at(3)])
    expect(await ids(['apple'], { places: [{ channelId: other, from: null }] })).toStrictEqual([])
  })

  it('never has what a message said before, and what it says now at once after an edit', async () => {
    await posted(store.messages, [at(1)], { content: 'apple' })
    await store.messages.edit(at(1), { content: 'pear' }, audience())
    expect([await ids(['apple']), await ids(['pear'])]).toStrictEqual([[], [at(1)]])
    expect(await store.indexMissing()).toBe(0)
    await opened.database.pool.query(`update messages.messages set content = 'plum'`)
    expect([await ids(['pear']), await ids(['plum'])]).toStrictEqual([[], []])
    expect(await store.indexMissing()).toBe(1)
    expect([await ids(['pear']), await ids(['plum'])]).toStrictEqual([[], [at(1)]])
    expect(await store.indexMissing()).toBe(0)
    await store.messages.remove([at(1)], { ...audience(), bulk: false })
    expect(await ids(['plum'])).toStrictEqual([])
  })

  it('says that it is being built while many messages are not in it, and has them once it is', async () => {
    const seconds = Array.from({ length: unindexed_max + 1 }, (_, second) => at(second))
    await posted(store.messages, seconds, { content: 'apple' })
    await forget()
    expect(await search(['apple'])).toBe('indexing')
    expect(await search([])).toMatchObject({ total_count: seconds.length })
    await store.indexMissing()
    expect(await search(['apple'])).toMatchObject({ total_count: seconds.length })
  })

  it('is computed anew, with how far that is', async () => {
    await posted(store.messages, [at(1), at(2)], { content: 'apple' })
    await opened.database.pool.query(`update messages.messages set words = array_to_tsvector('{wrong}')`)
    expect(await ids(['apple'])).toStrictEqual([])
    const told: string[] = []
    expect(await indexAll(opened.database, (done_count, all_count) => told.push(`${done_count}/${all_count}`))).toBe(2)
    expect(told).toStrictEqual(['2/2'])
    expect(await ids(['apple'])).toStrictEqual([at(2), at(1)])
  })

  it('finds what more messages have than are counted, the newest first', async () => {
    await posted(store.messages, [at(0)], { content: 'apple' })
    await opened.database.pool.query(
      `insert into messages.messages select m.id + n, m.channel_id, m.guild_id, m.author_id, m.type, m.flags, m.content,
         m.edited_at, m.tts, m.mentions_everyone, m.mentions_here, m.mentions, m.mention_roles, m.reference, m.nonce
       from messages.messages m, generate_series(1, $1) n`,
      [countedMatches_max + 5],
    )
    await store.indexMissing()
    const found = await search(['apple'], { limit: 2, offset: 1 })
    if (found === 'indexing') throw new Error('The index is being built')
    expect(found.total_count).toBe(countedMatches_max)
    const newest = BigInt(at(0)) + BigInt(countedMatches_max + 5)
    expect(found.messages.map(({ id }) => String(id))).toStrictEqual([`${newest - 1n}`, `${newest - 2n}`])
    expect(await ids(['apple'], { limit: 1, oldestFirst: true })).toStrictEqual([at(0)])
  })

  it('names no erased account, once its messages have another author', async () => {
    const { authorId } = message(at(1))
    const [anonymous, content] = [accountId(snowflake('777')), `I am <@${authorId}>`]
    await posted(store.messages, [at(1)], { content, mentions: [authorId] })
    expect(await ids([String(authorId)])).toStrictEqual([at(1)])
    await store.authorMessages.anonymise(authorId, anonymous)
    await store.indexMissing()
    expect([await ids([String(authorId)]), await ids([anonymous])]).toStrictEqual([[], [at(1)]])
    const mentions = { ...nothing, words: [], anyWords: [], phrases: [], mentions: [authorId] }
    expect(await ids([], { sought: mentions })).toStrictEqual([])
    expect(await ids([], { sought: { ...mentions, mentions: [anonymous] } })).toStrictEqual([at(1)])
  })

  it('takes nothing in a text for an operator', async () => {
    await posted(store.messages, [at(1)], { content: `it's a \\ test & more | 'quoted'` })
    expect(await ids(["it's & !"])).toStrictEqual([])
    expect(await ids(['quoted', 'test'])).toStrictEqual([at(1)])
    const sought = { ...nothing, words: [], anyWords: [], phrases: [`\\ TEST & more | 'q`] }
    expect(await ids([], { sought })).toStrictEqual([at(1)])
  })
})
