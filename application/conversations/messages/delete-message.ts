import { lacking } from '../../../domain/permissions/authority.ts'
import { isUnavailable } from '../../../domain/guild/state.ts'
import type { ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import { isDeletable } from '../../../domain/messages/message-types.ts'
import { requirePermission } from '../../access/guild-access.ts'
import { requireTextChannel, audienceOf, type TextPlace, type TextChannelNeeds } from './text-places.ts'
import { deletionBy, recordDeletion } from './record-message-deletions.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { isStaff } from '../../wire-objects/identity/user-objects.ts'
import type { Message } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'
import { isReadable } from './rules/readable-message.ts'
import { requireMessagesEnabled } from './rules/require-may-send.ts'

type Needs = TextChannelNeeds & Pick<Ports, 'messages'>

/**
 * Permanently deletes a message: the caller's own, also in an unavailable guild, or another's with SEND_MESSAGES and
 * MANAGE_MESSAGES. The audit log records every deletion in a guild. Refuses as `requireTextChannel` does, then in this
 * order: 403 FEATURE_TEMPORARILY_DISABLED, MISSING_ACCESS, 404 UNKNOWN_MESSAGE, 403 MISSING_PERMISSIONS (also for a
 * message that cannot be deleted), 400 TWO_FACTOR_REQUIRED. See rules/messages#delete.
 */
export function deleteMessage(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId, id: MessageId): Promise<void> => {
    const place = await requireTextChannel(ports, caller, channelId, { evenUnavailable: true })
    requireMessagesEnabled(place)
    const message = await ports.messages.find(channelId, id)
    requireMayDelete(caller, place, message)
    const unrecorded = deletionBy(caller, { guildId: place.guildId, channelId, messageId: id, count: 1 })
    const removed = await ports.messages.remove([id], { ...audienceOf(place), bulk: false, unrecorded })
    // Another request deleted it first and records the entry.
    if (removed.length === 0) return reject('UNKNOWN_MESSAGE')
    await recordDeletion(ports, unrecorded, caller.context)
  }
}

function requireMayDelete(caller: Caller, place: TextPlace, message: Message | undefined): asserts message is Message {
  const isOwn = message?.authorId === caller.account.id
  if (!isOwn && place.kind === 'guild' && isUnavailable(place.access.guild, isStaff(caller.account)))
    reject('MISSING_ACCESS')
  if (!message || (!isOwn && !isReadable(place, message))) return reject('UNKNOWN_MESSAGE')
  if (!isOwn) requireMayManage(place)
  if (!isDeletable(message.type)) reject('MISSING_PERMISSIONS')
}

function requireMayManage(place: TextPlace): void {
  if (place.kind === 'private') return reject('MISSING_PERMISSIONS')
  if (!place.can('SEND_MESSAGES')) return reject(lacking('SEND_MESSAGES'))
  requirePermission(place.access, 'MANAGE_MESSAGES')
}
