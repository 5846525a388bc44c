import type { ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import { filesOf } from '../../../domain/messages/embeds.ts'
import { messageFlags } from '../../../domain/messages/message-flags.ts'
import { messageTypes } from '../../../domain/messages/message-types.ts'
import { textsOf } from '../../../domain/messages/search-terms.ts'
import { lacking } from '../../../domain/permissions/authority.ts'
import { requirePermission } from '../../access/guild-access.ts'
import type { SentText } from '../../content-rules/content-rules.ts'
import { requireUnlistedFiles } from '../../content-rules/require-unlisted-file.ts'
import type { Caller } from '../../caller.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import { messageView } from '../../conversations/messages/message-views.ts'
import { isReadable } from '../../conversations/messages/rules/readable-message.ts'
import { requireMessagesEnabled, requireNotTimedOut } from '../../conversations/messages/rules/require-may-send.ts'
import {
  audienceOf,
  requireTextChannel,
  type GuildTextChannel,
  type TextChannelNeeds,
} from '../../conversations/messages/text-places.ts'
import type { Message } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'
import type { MessageObject } from '../../wire-objects/conversations/message-objects.ts'
import { requireAnnouncements, requireAnnouncementsEnabled } from './announcement-channel.ts'

type Needs = TextChannelNeeds &
  Pick<
    Ports,
    | 'allowances'
    | 'attachmentAddresses'
    | 'blocklistBox'
    | 'contentFilter'
    | 'jobs'
    | 'locks'
    | 'messages'
    | 'reactions'
  >

/** Of one channel, by all of its members together. */
const publishing = { requests: 10, seconds: 3600 } as const
const publishingName = 'published messages'

/**
 * Publishes a message of an announcement channel: it gets the flag CROSSPOSTED, and a worker copies it into the channels that follow.
 * The order of refusals: rules/webhooks#publish.
 */
export function crosspostMessage(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId, id: MessageId): Promise<MessageObject> => {
    const place = await requireTextChannel(ports, caller, channelId)
    if (place.kind === 'private' || place.access.channel.id !== channelId)
      return reject('ANNOUNCEMENT_CHANNEL_REQUIRED')
    requireAnnouncements(place.access.channel)
    requireMessagesEnabled(place)
    requireAnnouncementsEnabled(place.access.guild)
    const done = await ports.locks.holding(`publishing ${id}`, () => publish(ports, caller, place, id))
    return messageView(ports, caller, done?.result ?? reject('RESOURCE_LOCKED'))
  }
}

async function publish(ports: Needs, caller: Caller, place: GuildTextChannel, id: MessageId): Promise<Message> {
  const { channelId } = place
  const message = await ports.messages.find(channelId, id)
  requireMayPublish(caller, place, message)
  const { type, flags, snapshots } = message
  const isCopy = (flags & messageFlags.IS_CROSSPOST) !== 0
  if (type !== messageTypes.default || snapshots.length > 0 || isCopy) reject('MESSAGE_NOT_CROSSPOSTABLE')
  const published = messageFlags.CROSSPOSTED
  if ((flags & published) !== 0) reject('MESSAGE_ALREADY_CROSSPOSTED')
  if (ports.contentFilter.blocks(saidIn(message))) reject('CONTENT_BLOCKED')
  await requireUnlistedFiles(ports, filesOf(message))
  const left = await ports.allowances.take(publishingName, channelId, publishing)
  if (!left.allowed)
    return rejectWith('MESSAGE_CROSSPOST_RATE_LIMITED', { global: false, retry_after: left.retryAfterSeconds })
  const changed = await ports.messages.edit(id, { flags: published, flagsMask: published }, audienceOf(place))
  if (!changed || changed === 'overtaken') return reject('UNKNOWN_MESSAGE')
  // It is written down that it is published: a round of the workers delivers what no job delivers.
  await ports.jobs.add('deliver_copies', { messageId: id }).catch(() => undefined)
  return changed
}

/** What a message says: a list may have grown since it was written. */
function saidIn({ content, embeds }: Message): readonly SentText[] {
  return [content, ...embeds.flatMap(textsOf)].map((text) => ({ text, scope: null }))
}

/** Who writes in the channel publishes what is its own, and as one who manages messages also what others wrote. */
function requireMayPublish(
  caller: Caller,
  place: GuildTextChannel,
  message: Message | undefined,
): asserts message is Message {
  if (!message) return reject('UNKNOWN_MESSAGE')
  if (!place.can('SEND_MESSAGES')) return reject(lacking('SEND_MESSAGES'))
  if (message.authorId === caller.account.id) return requireNotTimedOut(caller, place)
  requirePermission(place.access, 'MANAGE_MESSAGES')
  if (!isReadable(place, message)) reject('UNKNOWN_MESSAGE')
}
