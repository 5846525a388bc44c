import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import { savedMessageObject, type SavedMessageObject } from '../../wire-objects/conversations/saved-message-objects.ts'
import type { TextChannelNeeds } from '../messages/text-places.ts'
import { readableAmong } from '../read-states/readable-among.ts'

/** The newest of the messages that the caller has saved; those that it may not read now are there without what they say. */
export function listSavedMessages(
  ports: TextChannelNeeds & Pick<Ports, 'attachmentAddresses' | 'reactions' | 'savedMessages'>,
) {
  return async (caller: Caller, limit: number): Promise<readonly SavedMessageObject[]> => {
    const places = await ports.savedMessages.page(caller.account.id, undefined, limit)
    const readable = await readableAmong(ports, caller, places)
    return places.map((place) => savedMessageObject(place, readable.get(place.messageId)))
  }
}
