import type { ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import { historyOf, requireTextChannel, type TextPlace, type TextChannelNeeds } from './text-places.ts'
import { viewerOf, type Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import {
  needsThreadAccess,
  typesOfThreads,
  type MessageObject,
} from '../../wire-objects/conversations/message-objects.ts'
import type { Message, MessagePage } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'
import { messageView, messageViews } from './message-views.ts'
import { withStarter } from './thread-starter.ts'
import { isReadable, requireReadable } from './rules/readable-message.ts'

type Needs = TextChannelNeeds & Pick<Ports, 'attachmentAddresses' | 'messages' | 'reactions'>

/**
 * A page of a channel's messages, the newest first. Without READ_MESSAGE_HISTORY it is empty, or begins at the guild's
 * message_history_cutoff. Refuses as `requireTextChannel` does. See rules/messages#read.
 */
export function listMessages(ports: Needs) {
  return async (
    caller: Caller,
    channelId: ChannelId,
    page: Omit<MessagePage, 'from' | 'without'>,
  ): Promise<readonly MessageObject[]> => {
    const place = await requireTextChannel(ports, caller, channelId)
    const history = historyOf(place)
    if (history === 'nothing') return []
    const from = history === 'all' ? {} : { from: history }
    const without = viewerOf(caller).threadAccess ? {} : { without: typesOfThreads }
    const kept = await ports.messages.page(channelId, { ...page, ...from, ...without })
    return messageViews(ports, caller, withStarter(kept, place, page), { mayShow: shownIn(place) })
  }
}

/** One message. Refuses as `requireTextChannel` does, then with 403 MISSING_PERMISSIONS or 404 UNKNOWN_MESSAGE. */
export function getMessage(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId, id: MessageId): Promise<MessageObject> => {
    const place = await requireTextChannel(ports, caller, channelId)
    const message = await requireReadable(ports, place, id)
    if (needsThreadAccess(message) && !viewerOf(caller).threadAccess) return reject('UNKNOWN_MESSAGE')
    return messageView(ports, caller, message, { mayShow: shownIn(place) })
  }
}

const shownIn =
  (place: TextPlace) =>
  (message: Message): boolean =>
    isReadable(place, message)
