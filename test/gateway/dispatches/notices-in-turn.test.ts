import { beforeEach, describe, expect, it } from 'vitest'
import { type MessageNotice, type NoticeNumber, type NoticeRange } from '../../../application/ports/messages.ts'
import { channelId, messageId, type ChannelId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { LookupFailed } from '../../../gateway/visibility/lookups.ts'
import { noticePage_max, NoticesInTurn } from '../../../gateway/messages/notices-in-turn.ts'

const id = (number: number) => snowflake((BigInt(number) << 22n).toString())
const [here, there] = [channelId(id(1)), channelId(id(2))]

/** The committed notices, by number. Numbers are missing while their writers are slow. */
let committed: Map<NoticeNumber, MessageNotice>
let reads: (readonly NoticeNumber[])[]
let told: NoticeNumber[]
let handled: bigint
let isAway: boolean
let inTurn: NoticesInTurn

beforeEach(() => {
  ;[committed, reads, told, handled, isAway] = [new Map(), [], [], 10n, false]
  inTurn = new NoticesInTurn({
    notices: { committed: async (ranges, count_max) => read(ranges, count_max) },
    lookups: { ask: (question) => question({} as never) },
    recent: {
      get handled() {
        return handled
      },
    },
    log: { debug: () => undefined, warn: () => undefined, error: () => undefined },
    announce: async (notices) => {
      told.push(...notices.map(({ number }) => number))
    },
  })
  inTurn.begin(0n, 10n)
})

function read(ranges: readonly NoticeRange[], count_max: number): readonly MessageNotice[] {
  const isIn = (number: NoticeNumber): boolean =>
    ranges.some(({ after, before }) => number > after && (before === undefined || number < before))
  if (isAway) throw new LookupFailed('away')
  const found = [...committed.values()].filter(({ number }) => isIn(number)).slice(0, count_max)
  reads.push(found.map(({ number }) => number))
  return found
}

function commit(number: NoticeNumber, { channel = here, after = 10n }: { channel?: ChannelId; after?: bigint } = {}) {
  const place = { channelId: channel, channelType: 0, guildId: null, parentId: null, recipients: null, after }
  const notice = { ...place, number, kind: 'created', messageId: messageId(id(Number(number))) } as const
  committed.set(number, notice)
  return notice
}

describe('while a number of a notice is missing', () => {
  it('each notice is read once and told once, whenever it is committed', async () => {
    commit(2n)
    commit(4n)
    await inTurn.announceAhead(11n)
    commit(3n)
    commit(5n)
    await inTurn.announceAhead(12n)
    await inTurn.announceAhead(13n)
    expect(reads).toStrictEqual([[2n, 4n], [3n, 5n], []])
    expect(told).toStrictEqual([2n, 4n, 3n, 5n])
    commit(1n)
    await inTurn.announce([1n, 2n, 3n, 4n, 5n].flatMap((number) => committed.get(number) ?? []))
    expect(told).toStrictEqual([2n, 4n, 3n, 5n, 1n])
    commit(6n)
    await inTurn.announceAhead(14n)
    expect(reads.at(-1)).toStrictEqual([6n])
  })

  it('nothing is read again for the events that came together', async () => {
    commit(2n)
    for (let count = 0; count < 3; count += 1) await inTurn.announceAhead(13n)
    expect(reads).toStrictEqual([[2n]])
  })

  it('a notice that depends on an event waits for it with what follows in its channel, and is not read again', async () => {
    commit(2n, { after: 12n })
    commit(3n)
    commit(4n, { channel: there })
    await inTurn.announceAhead(13n)
    expect(told).toStrictEqual([4n])
    handled = 12n
    await inTurn.announceAhead(14n)
    expect(told).toStrictEqual([4n, 2n, 3n])
    expect(reads).toStrictEqual([[2n, 3n, 4n], []])
  })
})

describe('before an event', () => {
  it('all notices are told that were committed before it, however many pages they are', async () => {
    const count = noticePage_max * 2 + 1
    for (let number = 1; number <= count; number += 1) commit(BigInt(number))
    await inTurn.announceAhead(11n)
    expect(told).toHaveLength(count)
    expect(told.at(-1)).toBe(BigInt(count))
  })

  it('notices that could not be read are read for the next event that came together with it', async () => {
    commit(1n)
    isAway = true
    await inTurn.announceAhead(13n)
    expect(told).toStrictEqual([])
    isAway = false
    await inTurn.announceAhead(13n)
    expect(told).toStrictEqual([1n])
  })
})
