import { channelTypes, has } from '../../../domain/guild/channel.ts'
import { channelId, type ChannelId, type MessageId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { threadOf, threadTypes, type ThreadType } from '../../../domain/thread/state.ts'
import { requirePermission, type ChannelAccess } from '../../access/guild-access.ts'
import { requireAge } from '../../access/require-age.ts'
import { requireNotTimedOut } from '../../access/thread-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { SentMessage } from '../messages/sent-message.ts'
import type { ThreadObject } from '../../wire-objects/conversations/thread-objects.ts'
import type { Ports } from '../../ports.ts'
import { startForumPost, type ForumPostNeeds } from './start-forum-post.ts'
import { openTypeIn, requireParent, start, takeTurn, threadOfCaller, type ThreadWishes } from './starting-threads.ts'
import { markStarter, tellOfNewThread } from './thread-messages.ts'
import { threadView } from './thread-views.ts'

/** The parsed body of Start thread. */
export interface FreeThreadWishes extends ThreadWishes {
  /** Null in a forum, where posts have a message instead. */
  readonly type: ThreadType | null
  /** Null for the default. */
  readonly invitable: boolean | null
  readonly message: SentMessage | null
  readonly appliedTags: readonly string[]
}

type Needs = Pick<Ports, 'aggregates' | 'messages' | 'queries' | 'readModels' | 'reservations'>

/**
 * Starts a thread from a message; the thread has the message's id. Refuses in this order: UNKNOWN_CHANNEL,
 * MISSING_ACCESS, MISSING_PERMISSIONS, INVALID_CHANNEL_TYPE, NSFW_CONTENT_AGE_RESTRICTED, MISSING_PERMISSIONS,
 * COMMUNICATION_DISABLED, UNKNOWN_MESSAGE, THREAD_ALREADY_CREATED_FOR_MESSAGE, SLOWMODE_RATE_LIMITED,
 * MAX_ACTIVE_THREADS. See rules/channels#start-a-thread.
 */
export function startThreadFromMessage(ports: Needs) {
  return async (
    caller: Caller,
    parentId: ChannelId,
    starterId: MessageId,
    wishes: ThreadWishes,
  ): Promise<ThreadObject> => {
    const access = await requireParent(ports, caller, parentId)
    if (!has(access.channel.type, 'messages')) reject('INVALID_CHANNEL_TYPE')
    requireAge(access.guild, access.channel, caller)
    requirePermission(access, 'READ_MESSAGE_HISTORY')
    requirePermission(access, 'CREATE_PUBLIC_THREADS')
    requireNotTimedOut(access, caller)
    if (!(await ports.messages.find(parentId, starterId))) reject('UNKNOWN_MESSAGE')
    const threadId = threadOf(starterId)
    const earlier = await ports.aggregates.thread.load(threadId)
    if (earlier.state.status !== 'absent' && !caller.context.mayRepeat) reject('THREAD_ALREADY_CREATED_FOR_MESSAGE')
    await takeTurn(ports, caller, access)
    const thread = threadOfCaller(caller, access, wishes, { type: openTypeIn(access), invitable: null })
    const record = await start(ports, caller, { ...thread, threadId, starterId })
    await markStarter(ports, access, record, true)
    return threadView(ports, caller, record)
  }
}

/**
 * Starts a thread without a message; a message of type 18 in the channel announces a public one. In a forum it starts a
 * post, with its first message. Refuses in this order: UNKNOWN_CHANNEL, MISSING_ACCESS, MISSING_PERMISSIONS,
 * INVALID_CHANNEL_TYPE, NSFW_CONTENT_AGE_RESTRICTED, MISSING_PERMISSIONS, COMMUNICATION_DISABLED,
 * SLOWMODE_RATE_LIMITED, MAX_ACTIVE_THREADS. See rules/channels#start-a-thread.
 */
export function startThread(ports: Needs & ForumPostNeeds) {
  const post = startForumPost(ports)
  return async (caller: Caller, parentId: ChannelId, wishes: FreeThreadWishes): Promise<ThreadObject> => {
    const access = await requireParent(ports, caller, parentId)
    if (has(access.channel.type, 'forum')) return post(caller, access, wishes)
    const type = requireType(access, wishes)
    const isPrivate = type === threadTypes.private
    requireAge(access.guild, access.channel, caller)
    requirePermission(access, isPrivate ? 'CREATE_PRIVATE_THREADS' : 'CREATE_PUBLIC_THREADS')
    requireNotTimedOut(access, caller)
    const threadId = channelId(caller.context.newId())
    await takeTurn(ports, caller, access)
    const invitable = isPrivate ? (wishes.invitable ?? true) : null
    const thread = threadOfCaller(caller, access, wishes, { type, invitable })
    const record = await start(ports, caller, { ...thread, threadId, starterId: null })
    if (!isPrivate) await tellOfNewThread(ports, access, caller, record)
    return threadView(ports, caller, record)
  }
}

/** Announcement channels have announcement threads, text channels have public and private ones, other channels have none. */
function requireType(access: ChannelAccess, { type }: FreeThreadWishes): ThreadType {
  const { channel } = access
  if (!has(channel.type, 'messages')) return reject('INVALID_CHANNEL_TYPE')
  if (type === null) return reject('INVALID_FORM_BODY', field('type', 'INVALID_FORMAT'))
  const fits = type === threadTypes.private ? channel.type === channelTypes.text : type === openTypeIn(access)
  return fits ? type : reject('INVALID_CHANNEL_TYPE')
}
