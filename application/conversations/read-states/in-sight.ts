import type { ChannelId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { Refused } from '../../commands/refused.ts'
import { requireTextChannel, type TextChannelNeeds } from '../messages/text-places.ts'

/** Whether the caller may view a place that holds messages; undefined if there is none for the caller. */
export async function isInSight(
  ports: TextChannelNeeds,
  caller: Caller,
  channel: ChannelId,
): Promise<boolean | undefined> {
  try {
    await requireTextChannel(ports, caller, channel, { atAnyAge: true })
    return true
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return error.refusal.code === 'UNKNOWN_CHANNEL' ? undefined : false
  }
}
