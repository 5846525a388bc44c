import type { MessageNotice } from '../../application/ports/messages.ts'
import type { AccountNotice } from '../../application/ports/notices.ts'
import { same, type Dispatch } from '../dispatches/dispatch.ts'
import type { World } from '../visibility/world.ts'
import type { FoundMessages } from './found-messages.ts'

export type AccountNoticed = MessageNotice & AccountNotice

const kinds: ReadonlySet<string> = new Set<AccountNotice['kind']>([
  'acknowledged',
  'mention_removed',
  'note_changed',
  'pins_acknowledged',
])

/** Whether a notice concerns one account alone. */
export function isOfAccount(notice: MessageNotice): notice is AccountNoticed {
  return kinds.has(notice.kind)
}

/** The dispatch to the account's own sessions. Of threads only those hear that know them. */
export function accountDispatches(
  notice: AccountNoticed,
  found: Pick<FoundMessages, 'isThread' | 'note'>,
  world: World,
): readonly Dispatch[] {
  const { channelId, recipients } = notice
  const dispatch = {
    guildId: null,
    threadAccessOnly: found.isThread(channelId),
    audience: { kind: 'sessions', sessions: (recipients ?? []).flatMap((id) => world.sessionsOf(id)) },
  } as const
  switch (notice.kind) {
    case 'acknowledged': {
      const { messageId, mentionCount, isManual } = notice
      const manual = isManual === null ? {} : { manual: isManual }
      const body = {
        channel_id: channelId,
        message_id: messageId,
        mention_count: mentionCount,
        ...manual,
        version: '0',
      }
      return [{ ...dispatch, t: 'MESSAGE_ACK', body: same(body) }]
    }
    case 'mention_removed':
      return [{ ...dispatch, t: 'RECENT_MENTION_DELETE', body: same({ message_id: notice.messageId }) }]
    case 'note_changed': {
      const { about } = notice
      return [{ ...dispatch, t: 'USER_NOTE_UPDATE', body: same({ id: about, note: found.note(notice) ?? '' }) }]
    }
    case 'pins_acknowledged':
      return [{ ...dispatch, t: 'CHANNEL_PINS_ACK', body: same({ channel_id: channelId, timestamp: notice.pinnedAt }) }]
  }
}
