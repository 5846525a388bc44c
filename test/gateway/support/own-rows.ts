import type { AccountNotice } from '../../../application/ports/notices.ts'
import type { MessageId } from '../../../domain/ids/ids.ts'
import type { Crowd, Name } from './crowd.ts'
import { sometime } from './facts.ts'
import { message } from './members-of-objects.ts'

/** The event, who hears of it, and the members of `d` for a recipient that understands threads; none for a list. */
export type Row = readonly [happens: () => unknown, heardBy: readonly Name[], members: string]

const without = (members: string, ...gone: readonly string[]): string =>
  members
    .split(' ')
    .filter((name) => !gone.includes(name))
    .join(' ')

/** The dispatches that follow from notices of one account: its own sessions alone hear them. */
export function ownRows(crowd: () => Crowd) {
  const told = (notice: (id: MessageId) => AccountNotice, members: string): Row => [
    () => {
      const {
        stage,
        ids,
        hidden,
        message: { id },
      } = crowd()
      stage.messages.tellAccount(ids.subject, hidden.id, notice(id))
    },
    ['subject'],
    members,
  ]
  return {
    CHANNEL_PINS_ACK: [told(() => ({ kind: 'pins_acknowledged', pinnedAt: sometime }), 'channel_id timestamp')],
    USER_NOTE_UPDATE: [told(() => ({ kind: 'note_changed', about: crowd().ids.owner }), 'id note')],
    RECENT_MENTION_DELETE: [told((messageId) => ({ kind: 'mention_removed', messageId }), 'message_id')],
    SAVED_MESSAGE_CREATE: [told((messageId) => ({ kind: 'saved', messageId }), without(message, 'guild_id', 'member'))],
    SAVED_MESSAGE_DELETE: [told((messageId) => ({ kind: 'unsaved', messageId }), 'message_id')],
    MESSAGE_ACK: [
      told(
        (messageId) => ({ kind: 'acknowledged', messageId, mentionCount: 1, isManual: true }),
        'channel_id manual mention_count message_id version',
      ),
      told(
        (messageId) => ({ kind: 'acknowledged', messageId, mentionCount: 0, isManual: null }),
        'channel_id mention_count message_id version',
      ),
    ],
  }
}
