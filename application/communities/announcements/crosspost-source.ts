import type { ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import { messageFlags } from '../../../domain/messages/message-flags.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { requireReadable } from '../../conversations/messages/rules/readable-message.ts'
import { requireTextChannel, type TextChannelNeeds } from '../../conversations/messages/text-places.ts'
import type { Ports } from '../../ports.ts'
import {
  crosspostSourceObject,
  type CrosspostSourceObject,
} from '../../wire-objects/communities/announcement-objects.ts'

type Needs = TextChannelNeeds & Pick<Ports, 'presence'>

/**
 * The guild that a copy of a published message comes from, for whoever reads the copy. Refuses as `requireTextChannel` and
 * `requireReadable`, with 404 UNKNOWN_MESSAGE for a message that is no copy, and 404 UNKNOWN_GUILD once its guild is gone
 * (rules/webhooks#copies).
 */
export function readCrosspostSource(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId, id: MessageId): Promise<CrosspostSourceObject> => {
    const place = await requireTextChannel(ports, caller, channelId)
    const { flags, reference } = await requireReadable(ports, place, id)
    const isCopy = (flags & messageFlags.IS_CROSSPOST) !== 0
    const guildId = isCopy ? reference?.guildId : undefined
    if (!guildId) return reject('UNKNOWN_MESSAGE')
    const { queries, presence } = ports
    const found = (await queries.guilds.findFor(guildId, caller.account.id)) ?? reject('UNKNOWN_GUILD')
    const [online, application] = await Promise.all([presence.onlineCounts([guildId]), queries.discovery.find(guildId)])
    const listing = application?.status === 'approved' ? application : undefined
    return crosspostSourceObject({ ...found, onlineCount: online.get(guildId) ?? 0, listing })
  }
}
