import type { ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import { isDeletable } from '../../../domain/messages/message-types.ts'
import { requirePermission } from '../../access/guild-access.ts'
import { requireTextChannel, audienceOf, type TextChannelNeeds } from './text-places.ts'
import { deletionBy, recordDeletion } from './record-message-deletions.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { requireMessagesEnabled } from './rules/require-may-send.ts'

type Needs = TextChannelNeeds & Pick<Ports, 'messages'>

/**
 * Permanently deletes up to 100 messages of a guild channel. One notice names all requested ids, even of messages that
 * did not exist. A message that cannot be deleted stays, and the notice leaves it out. Refuses as `requireTextChannel`
 * does, then with 400 CANNOT_EXECUTE_ON_DM, 403 FEATURE_TEMPORARILY_DISABLED, MISSING_PERMISSIONS, 400
 * TWO_FACTOR_REQUIRED. See rules/messages#bulk-delete.
 */
export function bulkDeleteMessages(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId, ids: readonly MessageId[]): Promise<void> => {
    const place = await requireTextChannel(ports, caller, channelId)
    if (place.kind === 'private') return reject('CANNOT_EXECUTE_ON_DM')
    requireMessagesEnabled(place)
    requirePermission(place.access, 'MANAGE_MESSAGES')
    const asked = [...new Set(ids)]
    const staying = await stayingAmong(ports, channelId, asked)
    const told = asked.filter((id) => !staying.has(id))
    if (told.length === 0) return
    const { guildId } = place
    const unrecorded = deletionBy(caller, { guildId, channelId, messageId: null, count: told.length })
    const removed = await ports.messages.remove(told, { ...audienceOf(place), bulk: true, unrecorded })
    if (removed.length === 0) return
    await recordDeletion(ports, unrecorded, caller.context)
  }
}

/** The messages that cannot be deleted. The notice must not say that they are gone. */
async function stayingAmong(
  { messages }: Pick<Needs, 'messages'>,
  channelId: ChannelId,
  ids: readonly MessageId[],
): Promise<ReadonlySet<MessageId>> {
  const found = await messages.findMany(ids.map((id) => ({ channelId, messageId: id })))
  return new Set(found.filter(({ type }) => !isDeletable(type)).map(({ id }) => id))
}
