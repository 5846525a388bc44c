import { systemChannelFlags } from '../../../../domain/guild/state.ts'
import type { MemberJoined } from '../../../../domain/membership/events.ts'
import { messageTypes } from '../../../../domain/messages/message-types.ts'
import type { RecordedEvent } from '../../../ports/event-store.ts'
import type { Ports } from '../../../ports.ts'
import { postOnce, systemMessageId } from './post-system-message.ts'

type Needs = Pick<Ports, 'queries' | 'messages' | 'readModels'>

/**
 * Posts the join message in the guild's system channel, unless the guild suppresses it or has no such channel
 * (rules/members#join-message). Founders get none. Its id derives from the event, so posting again changes nothing. Its
 * dispatch comes after the event's own dispatches.
 */
export async function postJoinMessage(
  { queries, messages, readModels }: Needs,
  { data, metadata, position }: Pick<RecordedEvent, 'metadata' | 'position'> & { readonly data: MemberJoined },
): Promise<void> {
  if (data.admission.by === 'founding') return
  await readModels.reached(position)
  const guild = await queries.guilds.find(data.guildId)
  if (!guild || guild.settings.systemChannelFlags & systemChannelFlags.SUPPRESS_JOIN_NOTIFICATIONS) return
  const channel = guild.channels.find(({ id }) => id === guild.settings.systemChannelId)
  if (!channel) return
  const place = {
    channelId: channel.id,
    channelType: channel.type,
    guildId: guild.id,
    parentId: null,
    recipients: null,
  }
  const said = { type: messageTypes.userJoin, authorId: data.accountId }
  await postOnce({ messages }, { ...place, after: position }, said, systemMessageId(metadata.at, metadata.eventId))
}
