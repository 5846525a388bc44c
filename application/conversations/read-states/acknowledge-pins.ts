import type { ChannelId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { TextChannelNeeds } from '../messages/text-places.ts'
import { isInSight } from './in-sight.ts'
import { readStates_max } from './read-states-max.ts'

/**
 * Notes the last pin of a channel as seen. Refuses with 404 UNKNOWN_CHANNEL. Does nothing where no message was ever pinned, and
 * where the caller may not see the channel: when something was pinned is not told there (rules/messages#read-states).
 */
export function acknowledgePins(ports: TextChannelNeeds & Pick<Ports, 'readStates'>) {
  return async (caller: Caller, channel: ChannelId): Promise<void> => {
    const isSeen = (await isInSight(ports, caller, channel)) ?? reject('UNKNOWN_CHANNEL')
    if (isSeen) await ports.readStates.acknowledgePins(caller.account.id, channel, await readStates_max(ports, caller))
  }
}
