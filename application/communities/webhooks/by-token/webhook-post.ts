import { channelTypes } from '../../../../domain/guild/channel.ts'
import { channelId, type ChannelId, type MessageId } from '../../../../domain/ids/ids.ts'
import { threadTypes } from '../../../../domain/thread/state.ts'
import type { ChannelAccess } from '../../../access/guild-access.ts'
import type { Caller } from '../../../caller.ts'
import { reject } from '../../../commands/refused.ts'
import type { GuildTextChannel } from '../../../conversations/messages/text-places.ts'
import { requireTags } from '../../../conversations/threads/forum-tags.ts'
import { start, threadOfCaller } from '../../../conversations/threads/starting-threads.ts'
import type { MessageAudience } from '../../../ports/messages.ts'
import type { Ports } from '../../../ports.ts'

/** A post that a message begins in the forum of its webhook: a thread of the message's id. */
export interface WebhookPost {
  readonly messageId: MessageId
  readonly name: string
  readonly appliedTags: readonly string[]
}

type Needs = Pick<Ports, 'aggregates' | 'messages' | 'queries' | 'readModels' | 'reservations'>

/**
 * Demands that a webhook may begin a post in its channel: 400 WEBHOOK_FORUM_TARGET_CONFLICT where a thread is named too, and
 * WEBHOOK_THREAD_NAME_REQUIRES_FORUM for any channel but a forum (rules/webhooks#execute).
 */
export function requirePostable(type: number, threadId: ChannelId | undefined): void {
  if (threadId !== undefined) reject('WEBHOOK_FORUM_TARGET_CONFLICT')
  if (type !== channelTypes.forum) reject('WEBHOOK_THREAD_NAME_REQUIRES_FORUM')
}

/** Who is told of the first message of a post: the viewers of the forum. */
export function postAudience({ guild, channel }: ChannelAccess, { messageId }: WebhookPost): MessageAudience {
  const thread = { channelId: channelId(messageId), channelType: threadTypes.public }
  return { ...thread, guildId: guild.id, parentId: channel.id, recipients: null }
}

/**
 * The post begins right before its message is written, so that one that is refused begins none. Refuses as `requireTags` and with
 * MAX_ACTIVE_THREADS.
 */
export function sendingInPost(
  ports: Needs,
  caller: Caller,
  access: ChannelAccess,
  { messageId, name, appliedTags }: WebhookPost,
): GuildTextChannel['sending'] {
  const wishes = { name, autoArchiveDuration: null, rateLimitPerUser: null }
  const thread = threadOfCaller(caller, access, wishes, { type: threadTypes.public, invitable: null, appliedTags })
  return {
    check: async () => requireTags(access, appliedTags),
    before: async () => {
      await start(ports, caller, { ...thread, threadId: channelId(messageId), starterId: null }, { byWebhook: true })
    },
  }
}
