import { messageId as asMessageId, type ChannelId, type MessageId } from '../../../domain/ids/ids.ts'
import { isPinnable, messageTypes } from '../../../domain/messages/message-types.ts'
import { noParts } from '../../../domain/messages/parts.ts'
import { lacking } from '../../../domain/permissions/authority.ts'
import type { Caller } from '../../caller.ts'
import { contextWith } from '../../commands/following-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Message } from '../../ports/messages.ts'
import { deletionBy, recordDeletion } from '../messages/record-message-deletions.ts'
import { isReadable } from '../messages/rules/readable-message.ts'
import { requireMessagesEnabled } from '../messages/rules/require-may-send.ts'
import { audienceOf, requireTextChannel, type TextChannelNeeds, type TextPlace } from '../messages/text-places.ts'

/**
 * Pins a message, and says so in the channel by a message of the caller. Does nothing to a pinned one. Refuses as
 * `requireTextChannel` does, whatever the caller's age; in a guild with 403 MISSING_PERMISSIONS without PIN_MESSAGES,
 * then 403 FEATURE_TEMPORARILY_DISABLED while writing is turned off; in a private channel as sending there; then 404
 * UNKNOWN_MESSAGE and 400 CANNOT_MODIFY_SYSTEM_WEBHOOK for a system message (rules/messages#pins).
 */
export function pinMessage(ports: TextChannelNeeds) {
  return async (caller: Caller, channelId: ChannelId, id: MessageId): Promise<void> => {
    const place = await requireTextChannel(ports, caller, channelId, { atAnyAge: true })
    const message = await messageToPin(ports, caller, place, id)
    if (message.pinnedAt !== null) return
    if (place.kind === 'private') await place.sending.before?.()
    await changePin(ports, caller, place, message, true)
  }
}

/** Unpins a message. Does nothing to one that is not pinned. Refuses as `pinMessage`. */
export function unpinMessage(ports: TextChannelNeeds) {
  return async (caller: Caller, channelId: ChannelId, id: MessageId): Promise<void> => {
    const place = await requireTextChannel(ports, caller, channelId, { atAnyAge: true })
    const message = await messageToPin(ports, caller, place, id)
    if (message.pinnedAt !== null) await changePin(ports, caller, place, message, false)
  }
}

async function messageToPin(
  { messages }: TextChannelNeeds,
  { account }: Caller,
  place: TextPlace,
  id: MessageId,
): Promise<Message> {
  if (place.kind === 'private') await place.sending.check?.()
  else if (!place.can('PIN_MESSAGES')) reject(lacking('PIN_MESSAGES'))
  requireMessagesEnabled(place)
  const message = await messages.find(place.channelId, id)
  if (!message || (message.authorId !== account.id && !isReadable(place, message))) return reject('UNKNOWN_MESSAGE')
  return isPinnable(message.type) ? message : reject('CANNOT_MODIFY_SYSTEM_WEBHOOK')
}

async function changePin(
  ports: TextChannelNeeds,
  caller: Caller,
  place: TextPlace,
  message: Message,
  pins: boolean,
): Promise<void> {
  const { channelId, guildId } = place
  // No reason is recorded of pins.
  const context = contextWith(caller.context, { reason: undefined })
  const about = { guildId, channelId, messageId: message.id, count: 1, pins }
  const unrecorded = deletionBy({ ...caller, context }, about)
  const hasChanged = await ports.messages.pin({
    messageId: message.id,
    pinnedAt: pins ? context.now : null,
    audience: audienceOf(place),
    ...(pins ? { said: saying(caller, place, message) } : {}),
    unrecorded,
  })
  if (hasChanged) await recordDeletion(ports, unrecorded, context)
}

/** The message of the server that says who pinned which message. */
function saying({ account, context }: Caller, { channelId, guildId }: TextPlace, pinned: Message): Message {
  return {
    id: asMessageId(context.newId()),
    channelId,
    guildId,
    authorId: account.id,
    type: messageTypes.channelPinned,
    flags: 0,
    content: '',
    editedAt: null,
    tts: false,
    mentions: [],
    mentionRoles: [],
    mentionsEveryone: false,
    mentionsHere: false,
    reference: { channelId, messageId: pinned.id, guildId },
    ...noParts,
  }
}
