import { disabledOperationBits } from '../../../domain/guild/state.ts'
import type { ChannelId } from '../../../domain/ids/ids.ts'
import { msOf } from '../../../domain/kernel/timestamp.ts'
import { lacking } from '../../../domain/permissions/authority.ts'
import { relationshipTypes } from '../../../domain/relationship/relationship-types.ts'
import { privateChannelTypes } from '../../access/private-channel-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { requireNotTimedOut } from '../messages/rules/require-may-send.ts'
import { requireTextChannel, type TextChannelNeeds, type TextPlace } from '../messages/text-places.ts'
import { requireDirectMessages } from '../private-channels/require-may-message.ts'

type Needs = TextChannelNeeds & Pick<Ports, 'typing'>

/**
 * Tells those who see a place that the caller is writing there. Refuses as `requireTextChannel` does, whatever the
 * caller's age; in a guild with 403 COMMUNICATION_DISABLED, then MISSING_PERMISSIONS without SEND_MESSAGES, then as the
 * thread does to sending; in a direct message or group with 403 DIRECT_MESSAGES_DISABLED. Nobody hears of it while the
 * guild has TYPING_EVENTS disabled, nor in a direct message between accounts of which one has blocked the other
 * (rules/messages#typing).
 */
export function startTyping(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId): Promise<void> => {
    const place = await requireTextChannel(ports, caller, channelId, { atAnyAge: true })
    await requireMayType(ports, caller, place)
    if (!(await isHeard(ports, caller, place))) return
    const { channelType, guildId, parentId } = place
    ports.typing.start({
      accountId: caller.account.id,
      place: { channelId, channelType, guildId, parentId },
      at_s: Math.floor(msOf(caller.context.now) / 1000),
    })
  }
}

async function requireMayType(ports: Needs, caller: Caller, place: TextPlace): Promise<void> {
  if (place.kind === 'private') {
    if (place.channelType !== privateChannelTypes.notes) await requireDirectMessages(ports, caller)
    return
  }
  requireNotTimedOut(caller, place)
  if (!place.can('SEND_MESSAGES')) reject(lacking('SEND_MESSAGES'))
  await place.sending.check?.()
}

async function isHeard({ queries }: Needs, { account }: Caller, place: TextPlace): Promise<boolean> {
  if (place.kind === 'guild')
    return (place.access.guild.settings.disabledOperations & disabledOperationBits.TYPING_EVENTS) === 0
  if (place.channelType !== privateChannelTypes.direct) return true
  const others = place.sharers.filter((id) => id !== account.id)
  const relationships = await queries.relationships.among(account.id, others)
  return relationships.every(({ type }) => type !== relationshipTypes.blocked)
}
