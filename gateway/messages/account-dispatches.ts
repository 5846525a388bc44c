import type { MessageNotice } from '../../application/ports/messages.ts'
import type { AccountNotice } from '../../application/ports/notices.ts'
import type { Viewer } from '../../application/wire-objects/communities/guild-objects.ts'
import {
  messageObject,
  needsThreadAccess,
  type MessageParts,
} from '../../application/wire-objects/conversations/message-objects.ts'
import { emojiKey } from '../../domain/messages/reactions.ts'
import { perViewer, same, type Dispatch } from '../dispatches/dispatch.ts'
import type { World } from '../visibility/world.ts'
import type { FoundMessages } from './found-messages.ts'

export type AccountNoticed = MessageNotice & AccountNotice

const kinds: ReadonlySet<string> = new Set<AccountNotice['kind']>([
  'acknowledged',
  'mention_removed',
  'note_changed',
  'pins_acknowledged',
  'saved',
  'unsaved',
])

/** Whether a notice concerns one account alone. */
export function isOfAccount(notice: MessageNotice): notice is AccountNoticed {
  return kinds.has(notice.kind)
}

/** The dispatch to the account's own sessions. Of threads only those hear that know them. */
export function accountDispatches(notice: AccountNoticed, found: FoundMessages, world: World): readonly Dispatch[] {
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
    case 'saved':
      return savedDispatch(notice, found, dispatch)
    case 'unsaved':
      return [{ ...dispatch, t: 'SAVED_MESSAGE_DELETE', body: same({ message_id: notice.messageId }) }]
    case 'note_changed': {
      const { about } = notice
      return [{ ...dispatch, t: 'USER_NOTE_UPDATE', body: same({ id: about, note: found.note(notice) ?? '' }) }]
    }
    case 'pins_acknowledged':
      return [{ ...dispatch, t: 'CHANNEL_PINS_ACK', body: same({ channel_id: channelId, timestamp: notice.pinnedAt }) }]
  }
}

/** Skips deleted messages: they are saved no more. */
function savedDispatch(
  { channelId, messageId }: Extract<AccountNoticed, { readonly messageId: unknown }>,
  found: FoundMessages,
  dispatch: Omit<Dispatch, 't' | 'body'>,
): readonly Dispatch[] {
  const message = found.message({ channelId, messageId })
  if (!message) return []
  const { account, fileAddress } = found
  const isOwnBy =
    (own: ReadonlySet<string> | undefined): NonNullable<MessageParts['isOwn']> =>
    ({ id }, emoji) =>
      own?.has(`${id} ${emojiKey(emoji)}`) ?? false
  const shown = (viewer: Viewer, own?: ReadonlySet<string>): object =>
    messageObject({ message, account, fileAddress, thread: found.thread(message), isOwn: isOwnBy(own) }, viewer)
  return [
    {
      ...dispatch,
      t: 'SAVED_MESSAGE_CREATE',
      threadAccessOnly: dispatch.threadAccessOnly === true || needsThreadAccess(message),
      body: perViewer(
        (viewer) => shown(viewer),
        (viewer, reader) => shown(viewer, found.reactedTo(reader)),
      ),
    },
  ]
}
