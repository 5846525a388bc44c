import type { Position } from '../../application/ports/event-store.js'
import type { MessageNotice, MessageNotices, NoticeNumber } from '../../application/ports/messages.js'
import type { ChannelId } from '../../domain/ids/ids.js'
import { LookupFailed, type Lookups } from '../events/lookups.js'
import type { RecentEvents } from '../events/recent-events.js'
import type { GatewayLog } from '../log.js'

export interface NoticesInTurnSettings {
  readonly notices: Pick<MessageNotices, 'committed'>
  readonly lookups: Pick<Lookups, 'ask'>
  readonly recent: Pick<RecentEvents, 'handled'>
  readonly log: GatewayLog
  /** Must not reject. */
  readonly announce: (notices: readonly MessageNotice[]) => Promise<void>
}

/**
 * Announces each notice once: those that the follower brings, and before an event those that its act has made. It runs inside the
 * event loop, which does one thing after another, and waits for nothing that needs the loop.
 */
export class NoticesInTurn {
  readonly #settings: NoticesInTurnSettings
  /** Everything up to here was announced; undefined while nobody follows. */
  #from: NoticeNumber | undefined
  #since: Position = -1n
  /** What was announced above that. */
  #ahead = new Set<NoticeNumber>()

  constructor(settings: NoticesInTurnSettings) {
    this.#settings = settings
  }

  /** The follower begins after a number, when every session knows the events up to a position. */
  begin(from: NoticeNumber, since: Position): void {
    this.#from = from
    this.#since = since
    this.#ahead = new Set()
  }

  /** Announces the next notices of the follower. Never rejects. */
  async announce(notices: readonly MessageNotice[]): Promise<void> {
    await this.#settings.announce(notices.filter(({ number }) => !this.#ahead.delete(number)))
    this.#from = notices.at(-1)?.number ?? this.#from
  }

  /**
   * Announces what is committed by now, which holds all that was finished before the next event was written. A notice that depends
   * on an event which is still to come stays with the follower, and so does what follows it in its channel. Never rejects: notices
   * that cannot be read now come later.
   */
  async announceAhead(): Promise<void> {
    const due = this.#withoutLater(await this.#committed())
    if (due.length === 0) return
    for (const { number } of due) this.#ahead.add(number)
    await this.#settings.announce(due)
  }

  async #committed(): Promise<readonly MessageNotice[]> {
    const { notices, lookups, log } = this.#settings
    const from = this.#from
    if (from === undefined) return []
    try {
      return await lookups.ask(() => notices.committed(from))
    } catch (error) {
      if (!(error instanceof LookupFailed)) throw error
      log.warn({ error }, 'messages could not be announced before the event that followed them')
      return []
    }
  }

  #withoutLater(committed: readonly MessageNotice[]): readonly MessageNotice[] {
    const { handled } = this.#settings.recent
    const known = handled > this.#since ? handled : this.#since
    const waiting = new Set<ChannelId>()
    return committed.filter(({ number, channelId, after }) => {
      if (this.#ahead.has(number)) return false
      if (after > known) waiting.add(channelId)
      return !waiting.has(channelId)
    })
  }
}
