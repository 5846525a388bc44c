import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openMessages, type OpenMessages } from '../../../adapters/messages/open-messages.ts'
import type { ShredProgress } from '../../../application/ports/author-messages.ts'
import { authorPage_count } from '../../../adapters/messages/author-messages.ts'
import { messageTypes } from '../../../domain/messages/message-types.ts'
import {
  accountId,
  backgroundJobId,
  channelId,
  type AccountId,
  type ChannelId,
  type MessageId,
} from '../../../domain/ids/ids.ts'
import { compareSnowflakes } from '../../../domain/ids/snowflake.ts'
import {
  ada,
  at,
  bob,
  general,
  home,
  id,
  nextNotices,
  other,
  posted,
  audience,
} from '../../contract/messages-fixtures.ts'
import { heldPosition } from '../../support/held-position.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'

let test: TestDatabase
let opened: OpenMessages
const job = backgroundJobId(id(5))
const another = backgroundJobId(id(6))
const unbounded = at(1_000_000)

beforeAll(async () => {
  test = await laidDatabase()
  const { database, notifier } = test
  opened = openMessages({ database, heldPosition, notifier, onError: (error) => expect.fail(String(error)) })
})
afterAll(async () => {
  await opened.close()
  await test.close()
})
beforeEach(async () => {
  await test.database.pool.query(
    'truncate messages.messages, messages.shreds, messages.notices, messages.anonymous_authors, messages.spare_authors',
  )
})

const batch = (ids: readonly MessageId[], jobId = job) => ({
  jobId,
  authorId: ada,
  channelId: general,
  ids,
  audience: audience(),
})

describe('the messages of an author', () => {
  it('are counted in all channels and months, up to an id', async () => {
    await posted(opened.messages, [at(0), at(1), at(40_000_000)])
    await posted(opened.messages, [at(2)], { channelId: other })
    await posted(opened.messages, [at(3)], { authorId: bob })
    const { authorMessages } = opened
    expect(await authorMessages.count(ada)).toStrictEqual({
      message_count: 4,
      channel_count: 2,
      pagedChannel_count: 2,
      newest: at(40_000_000),
    })
    expect(await authorMessages.count(ada, at(2))).toMatchObject({ message_count: 3, newest: at(2) })
    expect(await authorMessages.count(ada, at(1))).toMatchObject({ message_count: 2, channel_count: 1 })
  })

  it('are none of an author who wrote nothing', async () => {
    expect(await opened.authorMessages.count(bob)).toStrictEqual({
      message_count: 0,
      channel_count: 0,
      pagedChannel_count: 0,
      newest: null,
    })
  })

  it('are counted as the walk over pages meets them, whatever they are', async () => {
    const inChannels = fc.array(fc.nat({ max: 3 * authorPage_count }), { minLength: 0, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(inChannels, async (counts) => {
        await test.database.pool.query('truncate messages.messages')
        for (const [channel, count] of counts.entries()) await fill(channelId(id(100 + channel)), count)
        const walked = await walk()
        const { message_count, pagedChannel_count, channel_count } = await opened.authorMessages.count(ada)
        expect(message_count).toBe(walked.flat().length)
        expect(channel_count).toBe(new Set(walked.flat()).size)
        expect(pagedChannel_count).toBe(walked.reduce((sum, page) => sum + new Set(page).size, 0))
      }),
      { numRuns: 12 },
    )
  })

  /** The channels of the messages on each page. */
  async function walk(): Promise<readonly (readonly ChannelId[])[]> {
    const pages: ChannelId[][] = []
    for (let after: ShredProgress['last'] = null; ;) {
      const page = await opened.authorMessages.page(ada, { upTo: unbounded, after, limit: authorPage_count })
      if (page.length > 0) pages.push(page.map((each) => each.channelId))
      const last = page.at(-1)
      if (!last || page.length < authorPage_count) return pages
      after = last
    }
  }

  async function fill(channel: ChannelId, count: number): Promise<void> {
    await posted(opened.messages, [at(0)], { authorId: bob })
    await test.database.pool.query(
      `insert into messages.messages select $1::int8 + n * 7, $2, null, $3, 0, 0, '', null, false, false, false, '{}', '{}', null, null
      from generate_series(1, $4::int) n`,
      [at(1, channel.length), channel, ada, count],
    )
  }
})

describe('deleting messages for a job', () => {
  it('deletes what exists and is the author’s, tells of that alone, and keeps the progress', async () => {
    await posted(opened.messages, [at(0), at(1)])
    await posted(opened.messages, [at(2)], { authorId: bob })
    const since = await opened.notices.beginning()
    expect(await opened.authorMessages.shred(batch([at(0), at(1), at(2), at(3)]))).toBe(2)
    expect(await opened.authorMessages.shredded(job)).toStrictEqual({
      deleted_count: 2,
      last: { channelId: general, messageId: at(3) },
    })
    expect((await nextNotices(opened.notices, since, 1)).filter(({ kind }) => kind === 'deleted_bulk')).toMatchObject([
      { messageIds: [at(0), at(1)], channelId: general },
    ])
    expect((await opened.messages.page(general, { limit: 10 })).map((each) => each.id)).toStrictEqual([at(2)])
  })

  it('counts nothing twice when it is repeated, and tells nobody again', async () => {
    await posted(opened.messages, [at(0), at(1)])
    await opened.authorMessages.shred(batch([at(0), at(1)]))
    const before = await noticesCount()
    expect(await opened.authorMessages.shred(batch([at(0), at(1)]))).toBe(0)
    expect(await opened.authorMessages.shredded(job)).toMatchObject({ deleted_count: 2 })
    expect(await noticesCount()).toBe(before)
  })

  it('tells nobody in a channel that is gone', async () => {
    await posted(opened.messages, [at(0)])
    const before = await noticesCount()
    expect(await opened.authorMessages.shred({ ...batch([at(0)]), audience: null })).toBe(1)
    expect(await noticesCount()).toBe(before)
  })

  it('deletes each message once for two jobs at the same time', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => at(index)).toSorted(compareSnowflakes)
    for (let round = 0; round < 3; round += 1) {
      await posted(opened.messages, ids)
      await Promise.all([job, another].map((each) => opened.authorMessages.shred(batch(ids, each))))
    }
    const counts = await Promise.all([job, another].map((each) => opened.authorMessages.shredded(each)))
    expect(counts.reduce((sum, each) => sum + each.deleted_count, 0)).toBe(300)
  })

  it('records how far it has come where it deletes nothing', async () => {
    const { authorMessages } = opened
    await authorMessages.pass(job, { channelId: general, messageId: at(0) })
    expect(await authorMessages.shredded(job)).toMatchObject({ deleted_count: 0, last: { messageId: at(0) } })
    await posted(opened.messages, [at(1)])
    await authorMessages.shred(batch([at(1)]))
    await authorMessages.pass(job, { channelId: other, messageId: at(2) })
    const last = { channelId: other, messageId: at(2) }
    expect(await authorMessages.shredded(job)).toStrictEqual({ deleted_count: 1, last })
  })

  it('has no progress before it has begun', async () => {
    expect(await opened.authorMessages.shredded(job)).toStrictEqual({ deleted_count: 0, last: null })
  })

  const noticesCount = async (): Promise<number> =>
    (await test.database.pool.query('select from messages.notices')).rowCount ?? 0
})

describe('the messages of an erased author', () => {
  const carol = accountId(id(33))

  it('get another one, also where they mention their own, at most 100 at a time and without a notice', async () => {
    const written = Array.from({ length: 105 }, (_, second) => at(second))
    const content = `<@${ada}>, <@!${ada}> and <@${bob}>`
    await posted(opened.messages, written, { mentions: [ada, bob], content })
    await posted(opened.messages, [at(200)], { channelId: other, authorId: bob, mentions: [ada] })
    await opened.authorMessages.anonymise(ada, carol)
    expect([await countOf(ada), await countOf(carol)]).toStrictEqual([5, 100])
    await opened.authorMessages.anonymise(ada, carol)
    expect([await countOf(ada), await countOf(carol)]).toStrictEqual([0, 105])
    expect(await opened.messages.find(general, at(104))).toMatchObject({
      authorId: carol,
      mentions: [carol, bob],
      content: `<@${carol}>, <@!${carol}> and <@${bob}>`,
    })
    expect(await opened.messages.find(other, at(200))).toMatchObject({ authorId: bob, mentions: [ada] })
    const { rows } = await test.database.pool.query("select 1 from messages.notices where kind <> 'created'")
    expect(rows).toStrictEqual([])
  })

  it('draw one at random, which nobody else draws, and the same one as long as it is known', async () => {
    const { addSpareAuthors, anonymousAuthorOf, drawAnonymousAuthor, forgetAnonymousAuthor, spareAuthorCount } =
      opened.authorMessages
    expect(await drawAnonymousAuthor(ada)).toBeUndefined()
    const spare = Array.from({ length: 20 }, (_, index) => accountId(id(7000 + index)))
    await addSpareAuthors(spare)
    await addSpareAuthors(spare.slice(0, 3))
    expect(await spareAuthorCount()).toBe(20)
    const both = await Promise.all([drawAnonymousAuthor(ada), drawAnonymousAuthor(ada)])
    const of = await anonymousAuthorOf(ada)
    expect(of).toMatchObject({ passed_ms: null })
    expect(both.map((drawn) => drawn?.authorId)).toStrictEqual([of?.authorId, of?.authorId])
    const others: unknown[] = []
    for (let count = 0; (await spareAuthorCount()) > 0; count += 1)
      others.push((await drawAnonymousAuthor(accountId(id(8000 + count))))?.authorId)
    expect(new Set([...others, of?.authorId]).size).toBe(others.length + 1)
    expect(others).not.toStrictEqual(spare.filter((each) => others.includes(each)))
    await forgetAnonymousAuthor(ada)
    expect(await anonymousAuthorOf(ada)).toBeUndefined()
  })

  it('are mentioned as it in replies, in every channel, unless the text of a reply names the erased one', async () => {
    const { addSpareAuthors, anonymise, anonymiseReplies, anonymousAuthorOf, drawAnonymousAuthor, notePassed } =
      opened.authorMessages
    const replyTo = (answered: MessageId, channel: ChannelId, content = 'Yes') => ({
      authorId: bob,
      channelId: channel,
      type: messageTypes.reply,
      reference: { channelId: channel, messageId: answered, guildId: home },
      mentions: [ada, bob],
      content,
    })
    await posted(opened.messages, [at(0)])
    await posted(opened.messages, [at(1)], { channelId: other })
    await posted(opened.messages, [at(2)], { authorId: bob })
    await posted(opened.messages, [at(3), at(40_000_000)], replyTo(at(0), general))
    await posted(opened.messages, [at(4)], replyTo(at(1), other))
    await posted(opened.messages, [at(5)], replyTo(at(2), general))
    await posted(opened.messages, [at(6)], replyTo(at(0), general, `Yes, <@${ada}>`))
    await posted(opened.messages, [at(7)], { authorId: bob, mentions: [ada] })
    await addSpareAuthors([carol])
    await drawAnonymousAuthor(ada)
    await anonymise(ada, carol)
    let calls = 0
    while (await anonymiseReplies(ada, carol)) calls += 1
    // The places of both channels, and a page of each.
    expect(calls).toBe(4)
    const mentionsIn = async (channel: ChannelId, message: MessageId) =>
      (await opened.messages.find(channel, message))?.mentions
    for (const message of [at(3), at(40_000_000)])
      expect(await mentionsIn(general, message)).toStrictEqual([carol, bob])
    expect(await mentionsIn(other, at(4))).toStrictEqual([carol, bob])
    for (const message of [at(5), at(6)]) expect(await mentionsIn(general, message)).toStrictEqual([ada, bob])
    expect(await mentionsIn(general, at(7))).toStrictEqual([ada])
    await posted(opened.messages, [at(8)], replyTo(at(0), general))
    expect(await anonymiseReplies(ada, carol)).toBe(false)
    await notePassed(ada)
    expect((await anonymousAuthorOf(ada))?.passed_ms).toBeGreaterThanOrEqual(0)
    while (await anonymiseReplies(ada, carol)) calls += 1
    expect(await mentionsIn(general, at(8))).toStrictEqual([carol, bob])
  })
})

const countOf = async (author: AccountId) => (await opened.authorMessages.count(author)).message_count
