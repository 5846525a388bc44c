import type { ChannelId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'

/** Forgets what the caller has read of a channel. Refuses nothing, and tells nobody (rules/messages#read-states). */
export function clearReadState({ readStates }: Pick<Ports, 'readStates'>) {
  return async ({ account }: Caller, channel: ChannelId): Promise<void> => readStates.clear(account.id, channel)
}
