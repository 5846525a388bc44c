import type { MessageNotice } from '../../application/ports/messages.ts'
import type { MessageId } from '../../domain/ids/ids.ts'
import { emojiKey } from '../../domain/messages/reactions.ts'
import { reactionEmojiObject } from '../../application/wire-objects/conversations/reaction-objects.ts'
import type { Dispatch } from '../dispatches/dispatch.ts'
import type { EventLoop } from '../events/event-loop.ts'
import { dispatchFrame } from '../protocol/frame.ts'
import { isOnShard } from '../protocol/identify.ts'
import type { Session } from '../sessions/session.ts'
import type { Ticker } from '../ticker.ts'
import type { OneReaction } from './reaction-dispatches.ts'

export interface DebouncedReactionsSettings {
  readonly ticker: Ticker
  readonly loop: Pick<EventLoop, 'run'>
  /** The notice limited to those who still take part in its private channel; undefined if it has ended. Must not reject. */
  readonly heard: (notice: MessageNotice) => Promise<MessageNotice | undefined>
  /** Called with the number of sessions that got each dispatch. */
  readonly onDispatched: (sessions: number) => void
}

/** How long the reactions to a message are collected, and how many at most. */
export const debounce_ms = 650
export const debounced_max = 512

interface Waiting {
  readonly notice: OneReaction
  /** The dispatch that it has if it stays alone. */
  readonly value: object
}

/** What the sessions of one message wait for, by emoji and account. */
interface Collected {
  notice: OneReaction
  readonly bySession: Map<Session, Map<string, Waiting>>
  readonly cancel: () => void
}

/**
 * Collects the reactions in private channels for sessions that asked for that: they get those of 650 ms as one
 * MESSAGE_REACTION_ADD_MANY (rules/messages#reactions). One alone stays MESSAGE_REACTION_ADD; one that is removed meanwhile is
 * not told at all.
 */
export class DebouncedReactions {
  readonly #settings: DebouncedReactionsSettings
  readonly #collected = new Map<MessageId, Collected>()

  constructor(settings: DebouncedReactionsSettings) {
    this.#settings = settings
  }

  /**
   * The dispatch of a notice without the sessions that wait for it, or to which it need not be told. Whoever gets something else about
   * the message gets first what was collected.
   */
  through(notice: MessageNotice, dispatch: Dispatch): Dispatch {
    const { audience } = dispatch
    if (audience.kind !== 'sessions') return dispatch
    const keepsBack = (session: Session): boolean => this.#keepsBack(notice, dispatch, session)
    const sessions = audience.sessions.filter((session) => !(isDebounced(session) && keepsBack(session)))
    return { ...dispatch, audience: { ...audience, sessions } }
  }

  #keepsBack(notice: MessageNotice, { body }: Dispatch, session: Session): boolean {
    if (notice.kind === 'reaction_added' && body.per === 'event') {
      this.#collect(notice, body.value, session)
      return true
    }
    const waiting = notice.kind === 'reaction_removed' ? this.#waiting(notice.messageId, session) : undefined
    if (notice.kind === 'reaction_removed' && waiting?.delete(keyOf(notice))) return true
    for (const message of messagesOf(notice)) this.#give(message, session)
    return false
  }

  #waiting(message: MessageId, session: Session): Map<string, Waiting> | undefined {
    return this.#collected.get(message)?.bySession.get(session)
  }

  #collect(notice: OneReaction, value: object, session: Session): void {
    const { messageId } = notice
    const collected = this.#collected.get(messageId) ?? this.#begin(notice)
    collected.notice = notice
    const waiting = collected.bySession.get(session) ?? new Map<string, Waiting>()
    collected.bySession.set(session, waiting.set(keyOf(notice), { notice, value }))
    if (waiting.size >= debounced_max) this.#give(messageId, session)
  }

  #begin(notice: OneReaction): Collected {
    const { ticker, loop } = this.#settings
    const cancel = ticker.after(debounce_ms, () => void loop.run(() => this.#end(notice.messageId)))
    const collected: Collected = { notice, bySession: new Map(), cancel }
    this.#collected.set(notice.messageId, collected)
    return collected
  }

  /** Whoever left the channel meanwhile hears nothing more of it. */
  async #end(message: MessageId): Promise<void> {
    const collected = this.#collected.get(message)
    if (!collected) return
    const recipients = new Set((await this.#settings.heard(collected.notice))?.recipients)
    for (const session of collected.bySession.keys())
      if (!session.isEnded && recipients.has(session.accountId)) this.#give(message, session)
    this.#collected.delete(message)
  }

  /** Sends what a session waits for of a message. */
  #give(message: MessageId, session: Session): void {
    const waiting = [...(this.#waiting(message, session)?.values() ?? [])]
    this.#collected.get(message)?.bySession.delete(session)
    const [first] = waiting
    if (!first) return
    if (waiting.length === 1) {
      session.dispatch('MESSAGE_REACTION_ADD', dispatchFrame('MESSAGE_REACTION_ADD', first.value))
    } else {
      const reactions = waiting.map(({ notice }) => ({
        user_id: notice.accountId,
        emoji: reactionEmojiObject(notice.emoji),
      }))
      const many = { channel_id: first.notice.channelId, message_id: message, reactions }
      session.dispatch('MESSAGE_REACTION_ADD_MANY', dispatchFrame('MESSAGE_REACTION_ADD_MANY', many))
    }
    this.#settings.onDispatched(1)
  }
}

function isDebounced(session: Session): boolean {
  return session.debouncesReactions && isOnShard(session.shard, null)
}

const keyOf = ({ accountId, emoji }: OneReaction): string => `${accountId} ${emojiKey(emoji)}`

function messagesOf(notice: MessageNotice): readonly MessageId[] {
  if (notice.kind === 'deleted_bulk') return notice.messageIds
  return 'messageId' in notice ? [notice.messageId] : []
}
