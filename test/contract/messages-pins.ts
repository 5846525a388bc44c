import { expect, it } from 'vitest'
import type { MessageNotices, Messages } from '../../application/ports/messages.ts'
import { messageTypes } from '../../domain/messages/message-types.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import {
  at,
  audience,
  general,
  home,
  message,
  nextNotices,
  noon,
  other,
  posted,
  unrecorded,
} from './messages-fixtures.ts'

const instant = (seconds: number) => timestamp(noon + seconds * 1000)

/** Pins. */
export function pinning(messages: () => Messages, notices: () => MessageNotices): void {
  const pin = (second: number, pinnedAt: number | null, more: object = {}) =>
    messages().pin({
      messageId: at(second),
      pinnedAt: pinnedAt === null ? null : instant(pinnedAt),
      audience: audience(),
      ...more,
    })
  const pinned = async (page: Partial<Parameters<Messages['pins']>[1]> = {}) =>
    (await messages().pins(general, { limit: 50, ...page })).map(({ id, pinnedAt }) => [id, pinnedAt])

  it('are pinned once, say so, and are listed with the last pin first', async () => {
    await posted(messages(), [at(0), at(1), at(2)])
    const said = message(at(9), { type: messageTypes.channelPinned, guildId: home })
    expect(await pin(0, 20, { said, unrecorded: unrecorded(at(0), 20, { pins: true }) })).toBe(true)
    expect(await pin(0, 30, { said: message(at(10)), unrecorded: unrecorded(at(0), 30) })).toBe(false)
    expect(await pin(1, 10)).toBe(true)
    expect(await pin(2, 40)).toBe(true)
    expect(await pin(7, 50)).toBe(false)
    const list = [
      [at(2), instant(40)],
      [at(0), instant(20)],
      [at(1), instant(10)],
    ]
    expect(await pinned()).toStrictEqual(list)
    expect(await pinned({ limit: 1 })).toStrictEqual(list.slice(0, 1))
    expect(await pinned({ before: instant(40) })).toStrictEqual(list.slice(1))
    expect(await pinned({ from: instant(1) })).toStrictEqual([list[0], list[2]])
    expect((await messages().find(general, at(9)))?.type).toBe(messageTypes.channelPinned)
    expect(await messages().find(general, at(10))).toBeUndefined()
    expect(await messages().unrecordedDeletions(instant(60), 9)).toStrictEqual([unrecorded(at(0), 20, { pins: true })])
  })

  it('keep the time of the last pin when they are unpinned or deleted, and tell of it', async () => {
    const from = await notices().beginning()
    await posted(messages(), [at(0), at(1)])
    await pin(0, 20)
    await pin(1, 10)
    expect(await pin(0, null)).toBe(true)
    expect(await pin(0, null)).toBe(false)
    expect(await pinned()).toStrictEqual([[at(1), instant(10)]])
    await messages().remove([at(0), at(1)], { ...audience(), bulk: false })
    expect(await pinned()).toStrictEqual([])
    expect(await messages().lastOf([general, other])).toStrictEqual(
      new Map([[general, { messageId: null, pinnedAt: instant(20) }]]),
    )
    const told = (await nextNotices(notices(), from, 11)).map(({ kind }) => kind)
    const [changes, ends] = [told.slice(2, 8), told.slice(8)]
    expect(changes.toSorted()).toStrictEqual(['pins', 'pins', 'pins', 'updated', 'updated', 'updated'])
    expect(ends.toSorted()).toStrictEqual(['deleted', 'deleted', 'pins'])
  })
}
