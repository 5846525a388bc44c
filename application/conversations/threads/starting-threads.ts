import { channelTypes } from '../../../domain/guild/channel.ts'
import type { ChannelId } from '../../../domain/ids/ids.ts'
import type { ThreadStarted } from '../../../domain/thread/events.ts'
import {
  autoArchiveDurations,
  defaultAutoArchiveDuration,
  threadTypes,
  type AutoArchiveDuration,
  type ThreadType,
} from '../../../domain/thread/state.ts'
import { findChannel, type ChannelAccess } from '../../access/guild-access.ts'
import { findThread } from '../../access/thread-access.ts'
import type { Caller } from '../../caller.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import type { ThreadRecord } from '../../ports/queries/thread-queries.ts'
import type { Ports } from '../../ports.ts'
import { isSlowed } from '../messages/rules/slow-mode.ts'
import { withinActiveThreads } from './within-active-threads.ts'
import { requireChannelStill } from './require-channel-still.ts'

/** The body members common to all ways of starting a thread; null for the channel's default. */
export interface ThreadWishes {
  readonly name: string
  readonly autoArchiveDuration: AutoArchiveDuration | null
  readonly rateLimitPerUser: number | null
}

/** The parent channel, for a caller who can view it. A thread cannot have threads: 400 INVALID_CHANNEL_TYPE. */
export async function requireParent(
  ports: Pick<Ports, 'queries'>,
  caller: Caller,
  parentId: ChannelId,
): Promise<ChannelAccess> {
  const access = await findChannel(ports, caller, parentId)
  if (!access) return reject((await findThread(ports, caller, parentId)) ? 'INVALID_CHANNEL_TYPE' : 'UNKNOWN_CHANNEL')
  if (!access.can('VIEW_CHANNEL')) return reject('MISSING_ACCESS')
  return access
}

/** The type of a channel's threads that are not private. */
export function openTypeIn({ channel }: ChannelAccess): ThreadType {
  return channel.type === channelTypes.announcement ? threadTypes.announcement : threadTypes.public
}

/** The start of a caller's thread, except its ids. */
export function threadOfCaller(
  caller: Caller,
  { guild, channel }: ChannelAccess,
  { name, autoArchiveDuration, rateLimitPerUser }: ThreadWishes,
  {
    type,
    invitable,
    appliedTags = [],
  }: Pick<ThreadStarted, 'invitable'> & {
    readonly type: ThreadType
    readonly appliedTags?: readonly string[]
  },
): Omit<ThreadStarted, 'threadId' | 'starterId'> {
  const preset = autoArchiveDurations.find((minutes) => minutes === channel.threads?.autoArchiveDuration)
  return {
    guildId: guild.id,
    parentId: channel.id,
    threadType: type,
    ownerId: caller.account.id,
    name,
    autoArchiveDuration: autoArchiveDuration ?? preset ?? defaultAutoArchiveDuration,
    rateLimitPerUser: rateLimitPerUser ?? channel.threads?.rateLimitPerUser ?? 0,
    invitable,
    flags: 0,
    appliedTags,
    createdAt: caller.context.now,
  }
}

/**
 * Takes the caller's turn in a channel with slow mode. Slow mode covers threads too; otherwise thread names would bypass it.
 * Refuses with 400 SLOWMODE_RATE_LIMITED and the seconds to wait for whom `isSlowed` says. The same command
 * gets its turn again.
 */
export async function takeTurn(
  { messages }: Pick<Ports, 'messages'>,
  caller: Caller,
  { channel, can }: ChannelAccess,
): Promise<void> {
  const { account, context } = caller
  const id = context.newId()
  const slowMode_s = channel.rateLimitPerUser
  if (!isSlowed(caller, { slowMode_s, can })) return
  const wait_s = await messages.takeThreadTurn({ id, channelId: channel.id, authorId: account.id, slowMode_s })
  if (wait_s > 0) rejectWith('SLOWMODE_RATE_LIMITED', { retry_after: Math.min(wait_s, slowMode_s) })
}

/**
 * Starts a thread, if its guild may have one more active. If its channel was deleted meanwhile, the thread ends at once, since
 * the follower that ends threads may not have seen it. A webhook, as a caller, owns its thread without being a member of it. Refuses with MAX_ACTIVE_THREADS, THREAD_ALREADY_CREATED_FOR_MESSAGE,
 * UNKNOWN_CHANNEL.
 */
export async function start(
  ports: Pick<Ports, 'aggregates' | 'messages' | 'queries' | 'readModels' | 'reservations'>,
  caller: Caller,
  thread: ThreadStarted,
  { byWebhook = false }: { readonly byWebhook?: boolean } = {},
): Promise<ThreadRecord> {
  const { context } = caller
  const begin = async (): Promise<ThreadRecord> => {
    await ports.aggregates.thread.execute(thread.threadId, { type: 'StartThread', thread, byWebhook }, context)
    await ports.readModels.reached(context.written)
    return (await ports.queries.threads.find(thread.threadId)) ?? reject('UNKNOWN_CHANNEL')
  }
  // A thread started by an earlier try of this command is already counted.
  const earlier = await ports.aggregates.thread.findEarlierTry(thread.threadId, 'StartThread', context)
  const record = await (earlier ? begin() : withinActiveThreads(ports, thread.guildId, context, begin))
  await requireChannelStill(ports, caller, thread)
  return record
}
