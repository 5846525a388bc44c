import type { MessageId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import { staysOf } from '../read-states/acknowledge.ts'

/** Takes messages out of the caller's recent mentions. Refuses nothing (rules/messages#recent-mentions). */
export function dismissMentions(ports: Pick<Ports, 'queries' | 'recentMentions'>) {
  return async (caller: Caller, messages: readonly MessageId[]): Promise<void> =>
    ports.recentMentions.dismiss(caller.account.id, await staysOf(ports, caller), messages)
}
