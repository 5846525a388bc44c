import type { ChannelId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import type { TextChannelNeeds } from '../messages/text-places.ts'
import { isInSight } from './in-sight.ts'
import { readStates_max } from './read-states-max.ts'

/**
 * Forgets what the caller has read of a channel, and its unread mentions. Refuses nothing, and tells nobody. Bots have read nothing
 * (rules/messages#read-states).
 */
export function clearReadState(ports: TextChannelNeeds & Pick<Ports, 'readStates'>) {
  return async (caller: Caller, channel: ChannelId): Promise<void> => {
    const { account } = caller
    if (account.bot || (await ports.readStates.clear(account.id, channel))) return
    if ((await isInSight(ports, caller, channel)) !== true) return
    await ports.readStates.beginCleared(account.id, channel, await readStates_max(ports, caller))
  }
}
