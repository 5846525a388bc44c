import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MessageNotices, Messages, UnrecordedDeletion } from '../../application/ports/messages.ts'
import { messageTypes } from '../../domain/messages/message-types.ts'
import { channelId, entryId, stickerId, type MessageId } from '../../domain/ids/ids.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import {
  ada,
  at,
  bob,
  general,
  held,
  home,
  id,
  message,
  nextNotices,
  noon,
  other,
  posted,
  audience,
  unrecorded,
} from './messages-fixtures.ts'
import { pinning } from './messages-pins.ts'
import { posting } from './messages-posting.ts'

export interface OpenedMessages {
  readonly messages: Messages
  readonly notices: MessageNotices
  /** Lets time pass since the authors' last turns, where ids do not show it by themselves. */
  pass(seconds: number): Promise<void>
  close(): Promise<void>
}

type Part = (messages: () => Messages, notices: () => MessageNotices) => void

/** The behaviour of every adapter of the ports Messages and MessageNotices. `open` returns an empty one for each test. */
export function messagesContract(name: string, open: () => Promise<OpenedMessages>): void {
  describe(`${name}, as messages,`, () => {
    let opened: OpenedMessages
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.close())
    posting(
      () => opened.messages,
      (seconds) => opened.pass(seconds),
    )
    for (const part of [reading, changing, editing, pinning, deleting, notifying])
      part(
        () => opened.messages,
        () => opened.notices,
      )
  })
}

const reading: Part = (messages) => {
  const ids = Array.from({ length: 10 }, (_, index) => at(index))
  const of = (...seconds: number[]) => seconds.map((second) => at(second))
  const page = async (wanted: Parameters<Messages['page']>[1]) =>
    (await messages().page(general, wanted)).map((each) => each.id)

  it('return pages newest first: the newest, before one, after one, around one, across the end of a month', async () => {
    await posted(messages(), ids)
    await posted(messages(), [at(20)], { channelId: other })
    expect(await page({ limit: 3 })).toStrictEqual(of(9, 8, 7))
    expect(await page({ limit: 3, before: at(2) })).toStrictEqual(of(1, 0))
    expect(await page({ limit: 3, after: at(2) })).toStrictEqual(of(5, 4, 3))
    expect(await page({ limit: 4, around: at(5) })).toStrictEqual(of(7, 6, 5, 4))
    expect(await page({ limit: 4, around: at(0) })).toStrictEqual(of(3, 2, 1, 0))
    expect(await page({ limit: 4, around: at(8) })).toStrictEqual(of(9, 8, 7, 6))
    expect(await page({ limit: 20, around: at(9) })).toStrictEqual(of(9, 8, 7, 6, 5, 4, 3, 2, 1, 0))
    expect(await page({ limit: 100, from: timestamp(noon + 7000) })).toStrictEqual(of(9, 8, 7))
    expect(await page({ limit: 100, before: at(8), from: timestamp(noon + 7000) })).toStrictEqual(of(7))
    await posted(messages(), [at(30), at(31)], { type: messageTypes.threadCreated })
    expect(await page({ limit: 2, without: [messageTypes.threadCreated] })).toStrictEqual(of(9, 8))
    expect(await page({ limit: 2, after: at(8), without: [messageTypes.threadCreated] })).toStrictEqual(of(9))
  })

  it('find what an author sent with a nonce, while the nonce lives', async () => {
    const { channelId, authorId } = message(at(0))
    await messages().post({ message: message(at(0)), nonce: 'n1', audience: audience() })
    const by = { channelId, authorId }
    const soon = timestamp(noon + 299_000)
    expect(await messages().sentWith('n1', by, soon)).toMatchObject({ id: at(0) })
    expect(await messages().sentWith('n2', by, soon)).toBeUndefined()
    expect(await messages().sentWith('n1', { ...by, channelId: other }, soon)).toBeUndefined()
    expect(await messages().sentWith('n1', { ...by, authorId: bob }, soon)).toBeUndefined()
    expect(await messages().sentWith('n1', by, timestamp(noon + 301_000))).toBeUndefined()
  })

  it('find many at once, with their nonces, and the newest of each channel', async () => {
    await posted(messages(), ids)
    await messages().post({ message: message(at(30), { channelId: other }), nonce: 'n1', audience: audience() })
    const places = [
      { channelId: general, messageId: at(0) },
      { channelId: other, messageId: at(30) },
      { channelId: other, messageId: at(1) },
    ]
    const found = await messages().findMany(places)
    expect(new Map(found.map((each) => [each.id, each.nonce]))).toStrictEqual(
      new Map([
        [at(0), null],
        [at(30), 'n1'],
      ]),
    )
    const empty = channelId(id(83))
    expect(await messages().lastOf([general, other, empty])).toStrictEqual(
      new Map([
        [general, { messageId: at(9), pinnedAt: null }],
        [other, { messageId: at(30), pinnedAt: null }],
      ]),
    )
  })
}

const changing: Part = (messages) => {
  it('change the given members and nothing else', async () => {
    await posted(messages(), [at(0)], { mentions: [bob] })
    const edited = await messages().edit(at(0), { content: 'new', editedAt: timestamp(noon) }, audience())
    const expected = message(at(0), { content: 'new', editedAt: timestamp(noon), mentions: [bob] })
    expect(edited).toStrictEqual(expected)
    expect(await messages().edit(at(0), { flags: 4, mentions: [] }, audience())).toMatchObject({
      flags: 4,
      mentions: [],
    })
    expect(await messages().edit(at(0), { flags: 32, flagsMask: 32 }, audience())).toMatchObject({ flags: 36 })
    expect(await messages().edit(at(0), { flags: 0, flagsMask: 4 }, audience())).toMatchObject({ flags: 32 })
    const stickers = [{ id: stickerId(at(9)), name: 'Tower', animated: false }]
    expect(await messages().edit(at(0), { stickers }, audience())).toMatchObject({ content: 'new', stickers })
    expect(await messages().edit(at(0), { stickers: [] }, audience())).toMatchObject({ flags: 32, stickers: [] })
    expect(await messages().edit(at(1), { flags: 4 }, audience())).toBeUndefined()
    expect(await messages().edit(at(0), { flags: 0 }, audience({ channelId: other }))).toBeUndefined()
  })
}

const editing: Part = (messages, notices) => {
  it('give one notice of a change that several make at once', async () => {
    await posted(messages(), [at(0)])
    const start = await notices().beginning()
    await Promise.all(Array.from({ length: 6 }, () => messages().edit(at(0), { flags: 32 }, audience())))
    await messages().remove([at(0)], { ...audience(), bulk: false })
    const heard = await nextNotices(notices(), start, 2)
    expect(heard.map(({ kind }) => kind).filter((kind) => kind !== 'created')).toStrictEqual(['updated', 'deleted'])
  })
}

const deleting: Part = (messages, notices) => {
  it('delete what is in the channel, and return what was there', async () => {
    await posted(messages(), [at(0), at(1)])
    await posted(messages(), [at(2)], { channelId: other })
    const gone = await messages().remove([at(1), at(2), at(9)], { ...audience(), bulk: false })
    expect(gone).toStrictEqual([message(at(1))])
    expect(await messages().find(general, at(1))).toBeUndefined()
    expect(await messages().find(other, at(2))).toBeDefined()
  })

  it('record with a deletion that it has no audit log entry yet, until it has one', async () => {
    await posted(messages(), [at(0), at(1), at(2)])
    const remove = (of: MessageId, unrecorded: UnrecordedDeletion) =>
      messages().remove([of], { ...audience(), bulk: false, unrecorded })
    await remove(at(0), unrecorded(at(0), 20))
    await remove(at(1), unrecorded(at(1), 10, { messageId: null, count: 3, reason: null }))
    await remove(at(9), unrecorded(at(9), 5))
    const later = timestamp(noon + 60_000)
    expect(await messages().unrecordedDeletions(later, 9)).toStrictEqual([
      unrecorded(at(1), 10, { messageId: null, count: 3, reason: null }),
      unrecorded(at(0), 20),
    ])
    expect(await messages().unrecordedDeletions(later, 1)).toHaveLength(1)
    expect(await messages().unrecordedDeletions(timestamp(noon + 20_000), 9)).toHaveLength(1)
    for (const each of [at(1), at(1)]) await messages().noteRecorded(entryId(each))
    expect(await messages().unrecordedDeletions(later, 9)).toStrictEqual([unrecorded(at(0), 20)])
  })

  it('delete all messages of an author in channels between two instants, with notices for at most 100 each', async () => {
    const start = await notices().beginning()
    await posted(messages(), [...Array.from({ length: 205 }, (_, index) => at(index)), at(299)])
    await posted(messages(), [at(300)], { authorId: bob })
    await posted(messages(), [at(301)], { channelId: other })
    const heard = await nextNotices(notices(), start, 208)
    const channels = [{ channelId: general, channelType: 0, guildId: home, parentId: null, recipients: null }]
    const { deleted_count } = await messages().removeOfAuthor(ada, channels, {
      from: timestamp(noon + 3000),
      until: timestamp(noon + 299_000),
    })
    expect(deleted_count).toBe(202)
    const told = await nextNotices(notices(), heard.at(-1)?.number ?? start, 3)
    expect(told.map((notice) => notice.kind === 'deleted_bulk' && notice.messageIds.length)).toStrictEqual([
      100, 100, 2,
    ])
    expect((await messages().page(general, { limit: 100 })).map((each) => each.id)).toStrictEqual(
      [300, 299, 2, 1, 0].map((second) => at(second)),
    )
    expect(await messages().find(other, at(301))).toBeDefined()
  })

  it('delete whole channels, and nothing of others', async () => {
    await posted(messages(), [at(0), at(1)])
    await posted(messages(), [at(2)], { channelId: other })
    await messages().removeChannels([general])
    await messages().removeChannels([general])
    expect(await messages().page(general, { limit: 10 })).toStrictEqual([])
    expect(await messages().page(other, { limit: 10 })).toHaveLength(1)
  })
}

const notifying: Part = (messages, notices) => {
  it('give notice of every change in order, and of no repeated or refused one', async () => {
    const start = await notices().beginning()
    const place = audience({ channelType: 12, parentId: other, recipients: [ada, bob], after: 77n })
    await messages().post({ message: message(at(0)), nonce: 'n1', slowMode_s: 9, audience: place })
    await messages().post({ message: message(at(1)), nonce: 'n1', audience: place })
    await messages().post({ message: message(at(2)), slowMode_s: 9, audience: place })
    await messages().edit(at(0), { content: 'new' }, place)
    await messages().edit(at(5), { content: 'new' }, place)
    expect(await messages().edit(at(0), { content: 'new' }, place)).toMatchObject({ content: 'new' })
    await messages().remove([at(0), at(5)], { ...place, bulk: false })
    await messages().remove([at(0), at(5)], { ...place, bulk: true })
    const heard = await nextNotices(notices(), start, 4)
    expect(heard.map(({ number: _, ...notice }) => notice)).toStrictEqual([
      { ...place, kind: 'created', messageId: at(0) },
      { ...place, kind: 'updated', messageId: at(0) },
      { ...place, kind: 'deleted', messageId: at(0), authorId: ada },
      { ...place, kind: 'deleted_bulk', messageIds: [at(0), at(5)] },
    ])
  })

  it('come after what the read models hold, or after a later position that their writer gives', async () => {
    const start = await notices().beginning()
    await messages().post({ message: message(at(0)), audience: audience() })
    await messages().post({ message: message(at(1)), audience: audience({ after: held + 1n }) })
    await messages().post({ message: message(at(2)), nonce: 'n2', audience: audience({ after: held - 1n }) })
    await messages().edit(at(0), { content: 'new' }, audience())
    await messages().removeOfAuthor(ada, [audience()])
    const heard = await nextNotices(notices(), start, 5)
    expect(heard.map(({ after }) => after)).toStrictEqual([held, held + 1n, held, held, held])
  })

  it('give at once the notices of all that was finished, after a number', async () => {
    const start = await notices().beginning()
    await posted(messages(), [at(0), at(1)])
    const first = await notices().committed([{ after: start }], 2000)
    expect(first).toStrictEqual(await nextNotices(notices(), start, 2))
    const newest = first.at(-1)?.number ?? start
    expect(await notices().committed([{ after: newest }], 2000)).toStrictEqual([])
    await messages().remove([at(0)], { ...audience(), bulk: true })
    expect(await notices().committed([{ after: newest }], 2000)).toMatchObject([
      { kind: 'deleted_bulk', messageIds: [at(0)] },
    ])
    expect(await notices().committed([{ after: start }], 2000)).toHaveLength(3)
  })
}
