import type { MessageId } from '../../../domain/ids/ids.ts'
import { viewerOf, type Caller } from '../../caller.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { SavedPlace } from '../../ports/saved-messages.ts'
import { needsThreadAccess } from '../../wire-objects/conversations/message-objects.ts'
import { requireReadable } from '../messages/rules/readable-message.ts'
import { requireTextChannel, type TextChannelNeeds } from '../messages/text-places.ts'

/**
 * Saves a message for the caller alone. Refuses with 400 MAX_BOOKMARKS and max_bookmarks once so many are saved, also for one of
 * them, then as `requireTextChannel` and `requireReadable` do (rules/messages#saved-messages).
 */
export function saveMessage(ports: TextChannelNeeds & Pick<Ports, 'savedMessages'>) {
  return async (caller: Caller, place: SavedPlace): Promise<void> => {
    const { account } = caller
    const { max_bookmarks } = await ports.limits.ofAccount(account)
    const saved = {
      key: `saved messages of account ${account.id}`,
      limit: max_bookmarks,
      count: () => ports.savedMessages.count(account.id),
      refuse: (): never => rejectWith('MAX_BOOKMARKS', { max_bookmarks }),
    }
    await ports.reservations.within([saved], async () => {
      const channel = await requireTextChannel(ports, caller, place.channelId)
      const message = await requireReadable(ports, channel, place.messageId)
      if (needsThreadAccess(message) && !viewerOf(caller).threadAccess) reject('UNKNOWN_MESSAGE')
      await ports.savedMessages.save(account.id, place)
    })
  }
}

/** Takes a message out of those that the caller has saved. Refuses nothing, whether or not it may read it. */
export function removeSavedMessage({ savedMessages }: Pick<Ports, 'savedMessages'>) {
  return async ({ account }: Caller, message: MessageId): Promise<void> => savedMessages.remove(account.id, message)
}
