import { beforeAll, type Position } from '../../domain/kernel/position.ts'
import {
  type MessageNotice,
  type MessageNotices,
  type NoticeNumber,
  type NoticeRange,
} from '../../application/ports/messages.ts'
import type { ChannelId } from '../../domain/ids/ids.ts'
import { LookupFailed, type Lookups } from '../visibility/lookups.ts'
import type { RecentEvents } from '../events/recent-events.ts'
import type { GatewayLog } from '../log.ts'

export interface NoticesInTurnSettings {
  readonly notices: Pick<MessageNotices, 'committed'>
  readonly lookups: Pick<Lookups, 'ask'>
  readonly recent: Pick<RecentEvents, 'handled'>
  readonly log: GatewayLog
  /** Must not reject. */
  readonly announce: (notices: readonly MessageNotice[]) => Promise<void>
}

/** The most notices that are read ahead of the follower. The rest comes with the follower. */
const readAhead_max = 20_000
/** The most notices that are read at once. */
export const noticePage_max = 2000

/**
 * Announces each notice once: those that the follower brings, and before an event those that its act has made. It runs inside the
 * event loop, which does one thing after another, and waits for nothing that needs the loop.
 */
export class NoticesInTurn {
  readonly #settings: NoticesInTurnSettings
  /** The follower has brought everything up to here; undefined while nobody follows. */
  #from: NoticeNumber | undefined
  #since: Position = beforeAll
  /** What was read above that, by number: undefined once it is announced. */
  #ahead = new Map<NoticeNumber, MessageNotice | undefined>()
  /** All that was finished before the events up to here was read. */
  #readBefore: Position = beforeAll

  constructor(settings: NoticesInTurnSettings) {
    this.#settings = settings
  }

  /** The follower begins after a number, when every session knows the events up to a position. */
  begin(from: NoticeNumber, since: Position): void {
    this.#from = from
    this.#since = since
    this.#ahead = new Map()
  }

  /** Announces the next notices of the follower. Never rejects. */
  async announce(notices: readonly MessageNotice[]): Promise<void> {
    const isTold = ({ number }: MessageNotice): boolean =>
      this.#ahead.has(number) && this.#ahead.get(number) === undefined
    const due = notices.filter((notice) => !isTold(notice))
    for (const { number } of notices) this.#ahead.delete(number)
    this.#from = notices.at(-1)?.number ?? this.#from
    await this.#settings.announce(due)
  }

  /**
   * Announces all that was finished before the next event was written. `newest` is the position of the newest event that has come:
   * nothing is read again for the events up to there. A notice that depends on an event which is still to come stays, and so does
   * what follows it in its channel. Never rejects: notices that cannot be read now come later.
   */
  async announceAhead(newest: Position): Promise<void> {
    if (newest > this.#readBefore && (await this.#readOn())) this.#readBefore = newest
    const due = this.#due()
    if (due.length === 0) return
    for (const { number } of due) this.#ahead.set(number, undefined)
    await this.#settings.announce(due)
  }

  /** Reads what has been committed since the last time, page by page. Gives whether it could be read. */
  async #readOn(): Promise<boolean> {
    const { notices, lookups, log } = this.#settings
    const from = this.#from
    if (from === undefined) return false
    try {
      for (let isWhole = false; !isWhole && this.#ahead.size < readAhead_max;) {
        const ranges = between(from, [...this.#ahead.keys()])
        const page = await lookups.ask(() => notices.committed(ranges, noticePage_max))
        for (const notice of page) this.#ahead.set(notice.number, notice)
        isWhole = page.length < noticePage_max
      }
      return true
    } catch (error) {
      if (!(error instanceof LookupFailed)) throw error
      log.warn({ error }, 'messages could not be announced before the event that followed them')
      return false
    }
  }

  /** What was read and is to be announced now, in order. */
  #due(): readonly MessageNotice[] {
    const { handled } = this.#settings.recent
    const known = handled > this.#since ? handled : this.#since
    const waiting = new Set<ChannelId>()
    const read = [...this.#ahead.values()].flatMap((notice) => notice ?? [])
    return read.toSorted(byNumber).filter(({ channelId, after }) => {
      if (after > known) waiting.add(channelId)
      return !waiting.has(channelId)
    })
  }
}

const byNumber = (one: MessageNotice, other: MessageNotice): number => (one.number < other.number ? -1 : 1)

/** The ranges of numbers after one that hold none of some known numbers. */
function between(from: NoticeNumber, known: readonly NoticeNumber[]): readonly NoticeRange[] {
  const ranges: NoticeRange[] = []
  let after = from
  for (const number of known.toSorted((one, other) => (one < other ? -1 : 1))) {
    if (number > after + 1n) ranges.push({ after, before: number })
    after = number
  }
  return [...ranges, { after }]
}
