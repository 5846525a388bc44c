import type { FileAddress } from '../../application/wire-objects/conversations/attachment-objects.ts'
import type { MessageNotice, MessageNotices, Messages, NoticeNumber } from '../../application/ports/messages.ts'
import type { Reactions } from '../../application/ports/reactions.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { NoticesInTurn } from './notices-in-turn.ts'
import type { EventLoop } from '../events/event-loop.ts'
import type { RecentEvents } from '../events/recent-events.ts'
import type { GatewayLog } from '../log.ts'
import type { Ticker } from '../ticker.ts'

/** The Gateway's source of messages. */
export interface MessageSource extends Pick<Messages, 'findMany'> {
  /** Which of some messages accounts reacted to. */
  readonly reactionsOf: Reactions['of']
  /** Gives the address of a file now. */
  readonly fileAddress: FileAddress
  readonly notices: MessageNotices
  /** The number after which to start. */
  readonly from: NoticeNumber
  /** A position after everything that the bus brings: what every session has in its READY. */
  readonly since: () => Promise<Position>
}

export interface FollowSettings {
  readonly source: MessageSource
  readonly loop: EventLoop
  readonly recent: RecentEvents
  readonly log: GatewayLog
  readonly ticker: Ticker
  readonly inTurn: NoticesInTurn
  /** Ends every session: lost notices can no longer be dispatched. */
  readonly onLost: () => void
}

/** How long a notice waits for earlier events before the operator is told; also the pause after a failure. */
const lateEvents_ms = 3000

/**
 * Follows the notices until the signal aborts. Notices take turns with events, and none overtakes an event that its message
 * depended on: that event may hide the channel from somebody. If the bus is late, messages are as late. If it is later than
 * notices are kept, they are lost, and all sessions are ended.
 */
export async function followNotices(settings: FollowSettings, signal: AbortSignal): Promise<void> {
  const { source, loop, recent, log, inTurn, onLost } = settings
  let from = source.from
  while (!signal.aborted) {
    try {
      const since = await source.since()
      await loop.run(async () => {
        recent.begin(since)
        inTurn.begin(from, since)
      })
      for await (const notices of source.notices.follow(from, signal)) {
        await hold(settings, notices, since, signal)
        if (signal.aborted) return
        await loop.run(() => inTurn.announce(notices))
        from = notices.at(-1)?.number ?? from
      }
    } catch (error) {
      if (signal.aborted) return
      log.error({ error }, 'notices of messages were lost; every session is ended')
      await loop.run(() => Promise.resolve(onLost()))
      from = await beginAnew(settings, from)
    }
  }
}

async function hold(
  { recent, log, ticker }: FollowSettings,
  notices: readonly MessageNotice[],
  since: Position,
  signal: AbortSignal,
): Promise<void> {
  const after = notices.reduce((highest, notice) => (notice.after > highest ? notice.after : highest), since)
  if (after <= since) return
  for (let isTold = false; !(await recent.reached(after, lateEvents_ms, ticker)) && !signal.aborted; isTold = true) {
    if (!isTold)
      log.warn({ position: after.toString() }, 'messages are waiting for earlier events that have not arrived')
  }
}

async function beginAnew({ source, log, ticker }: FollowSettings, from: NoticeNumber): Promise<NoticeNumber> {
  try {
    return await source.notices.beginning()
  } catch (error) {
    log.error({ error }, 'the start of the message notices could not be read')
    await ticker.wait(lateEvents_ms)
    return from
  }
}
