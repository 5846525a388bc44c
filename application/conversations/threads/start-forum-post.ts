import { channelId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { threadTypes } from '../../../domain/thread/state.ts'
import { requirePermission, type ChannelAccess } from '../../access/guild-access.ts'
import { requireAge } from '../../access/require-age.ts'
import { requireNotTimedOut } from '../../access/thread-access.ts'
import type { GuildTextChannel } from '../messages/text-places.ts'
import type { Caller } from '../../caller.ts'
import { pairFiles } from '../attachments/pair-files.ts'
import { contextWith } from '../../commands/following-context.ts'
import { reject } from '../../commands/refused.ts'
import { sendMessage, type SendingNeeds } from '../messages/create-message.ts'
import { requireForm } from '../messages/rules/require-content.ts'
import { requirePlacedFiles } from '../messages/rules/require-embeds.ts'
import { requireFilesWithin } from '../messages/rules/require-files.ts'
import { requireClaimed, requireMaySend } from '../messages/rules/require-may-send.ts'
import { requireStickers } from '../messages/rules/require-stickers.ts'
import type { SentMessage } from '../messages/sent-message.ts'
import type { ThreadObject } from '../../wire-objects/conversations/thread-objects.ts'
import type { Ports } from '../../ports.ts'
import { requireTags } from './forum-tags.ts'
import { start, takeTurn, threadOfCaller, type ThreadWishes } from './starting-threads.ts'
import { threadView } from './thread-views.ts'

/** What a forum post begins with. */
export interface ForumPostWishes extends ThreadWishes {
  /** Null if not given. */
  readonly message: SentMessage | null
  readonly appliedTags: readonly string[]
}

export type ForumPostNeeds = SendingNeeds & Pick<Ports, 'startedSessions'>

/**
 * Starts a post in a forum that the caller can view: a public thread with its first message, which has the thread's id.
 * Refuses with NSFW_CONTENT_AGE_RESTRICTED, MISSING_PERMISSIONS without CREATE_PUBLIC_THREADS, COMMUNICATION_DISABLED,
 * INVALID_FORM_BODY without a message, as `requireTags` does, as sending does, and with SLOWMODE_RATE_LIMITED and
 * MAX_ACTIVE_THREADS. A message that cannot be sent starts no thread. See rules/channels#start-a-thread.
 */
export function startForumPost(ports: ForumPostNeeds) {
  const send = sendMessage(ports)
  return async (caller: Caller, access: ChannelAccess, wishes: ForumPostWishes): Promise<ThreadObject> => {
    const { message, appliedTags } = wishes
    requireAge(access.guild, access.channel, caller)
    requirePermission(access, 'CREATE_PUBLIC_THREADS')
    requireNotTimedOut(access, caller)
    if (message === null) return reject('INVALID_FORM_BODY', field('message', 'INVALID_FORMAT'))
    requireTags(access, appliedTags)
    const id = caller.context.newId()
    const threadId = channelId(id)
    await requireSendable(ports, caller, placeIn(access, threadId), message)
    await takeTurn(ports, caller, access)
    const thread = threadOfCaller(caller, access, wishes, { type: threadTypes.public, invitable: null, appliedTags })
    const record = await start(ports, caller, { ...thread, threadId, starterId: null })
    const context = { ...contextWith(caller.context, {}), newId: () => id }
    // If the message was deleted after an earlier try of the same command, the post stays without it.
    await send({ ...caller, context }, threadId, { ...message, reference: null })
    return threadView(ports, caller, record)
  }
}

/** Before the thread exists, refuses a message that could not be sent in it. */
async function requireSendable(
  ports: ForumPostNeeds,
  caller: Caller,
  place: GuildTextChannel,
  message: SentMessage,
): Promise<void> {
  requireClaimed(caller, place.channelId)
  await requireMaySend(ports, caller, place, message, 'message.')
  await requireForm(ports, caller, place, message, 'message.')
  const described = pairFiles(message, new Map(), { path: 'message.attachments' })
  await requireFilesWithin(ports, caller, place, { ...message, described })
  await requireStickers(ports, caller, place, message.stickerIds)
  requirePlacedFiles(message.embeds, [], 'message.embeds')
}

/** The thread as a place for messages, before it exists. */
function placeIn(access: ChannelAccess, threadId: GuildTextChannel['channelId']): GuildTextChannel {
  return {
    kind: 'guild',
    channelId: threadId,
    channelType: threadTypes.public,
    guildId: access.guild.id,
    parentId: access.channel.id,
    recipients: null,
    slowMode_s: 0,
    can: (permission) => access.can(permission === 'SEND_MESSAGES' ? 'SEND_MESSAGES_IN_THREADS' : permission),
    sending: {},
    access,
  }
}
