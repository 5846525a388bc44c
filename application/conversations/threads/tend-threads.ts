import type { ChannelDeleted } from '../../../domain/guild/channel-events.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import { messageId, type ChannelId, type GuildId } from '../../../domain/ids/ids.ts'
import type { MembershipEvent } from '../../../domain/membership/events.ts'
import type { ThreadDeleted, ThreadMemberAdded, ThreadStarted } from '../../../domain/thread/events.ts'
import { finishingContext } from '../../commands/following-context.ts'
import { Refused } from '../../commands/refused.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import type { RecordedEvent } from '../../ports/event-store.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import type { Ports } from '../../ports.ts'
import { endThread } from './delete-thread.ts'
import { markStarter } from './thread-messages.ts'

export type ThreadTendingNeeds = Pick<Ports, 'aggregates' | 'messages' | 'queries' | 'readModels'>

type Departure = Extract<MembershipEvent, { readonly type: 'MemberLeft' | 'MemberKicked' | 'MemberBanned' }>['data']
type GuildDeleted = Extract<GuildEvent, { readonly type: 'GuildDeleted' }>['data']

/** The events that have consequences for threads, or for what belongs to threads. */
const tended: readonly string[] = [
  'MemberLeft',
  'MemberKicked',
  'MemberBanned',
  'ChannelDeleted',
  'GuildDeleted',
  'ThreadStarted',
  'ThreadMemberAdded',
  'ThreadDeleted',
]

export function concernsThreads({ type }: Pick<RecordedEvent, 'type'>): boolean {
  return tended.includes(type)
}

/**
 * Carries out the consequences of an event for threads. When an account leaves a guild, its thread memberships end.
 * When a channel or guild is deleted, its threads end. When a thread is deleted, its messages are deleted for good. The
 * message that a thread was started from is marked as long as the thread exists. New threads and memberships are
 * checked too, since they may have begun after the end of what they depend on. Safe to repeat.
 */
export function tendThreads(ports: ThreadTendingNeeds) {
  return async (event: RecordedEvent): Promise<void> => {
    await ports.readModels.reached(event.position)
    const { metadata, data } = event
    const context = finishingContext(metadata, 'threads', metadata.at)
    // The type of an event determines its data.
    switch (event.type) {
      case 'MemberLeft':
      case 'MemberKicked':
      case 'MemberBanned':
        return endMemberships(ports, data as Departure, event.position, context)
      case 'ChannelDeleted':
        return endThreads(ports, { parentId: (data as ChannelDeleted).channel.id }, context)
      case 'GuildDeleted':
        return endThreads(ports, { guildId: (data as GuildDeleted).guildId }, context)
      case 'ThreadStarted':
        return tendStarted(ports, data as ThreadStarted, context)
      case 'ThreadMemberAdded':
        return endIfGone(ports, data as ThreadMemberAdded, context)
      case 'ThreadDeleted':
        return clearAfter(ports, data as ThreadDeleted)
      default:
    }
  }
}

async function tendStarted(
  ports: ThreadTendingNeeds,
  { threadId, guildId, parentId, starterId }: ThreadStarted,
  context: CommandContext,
): Promise<void> {
  if (!(await ports.queries.threads.find(threadId))) return
  const channel = await channelOf(ports, { guildId, parentId })
  if (channel) await markStarter(ports, channel, { starterId }, true)
  else await endUnlessEnded(ports, threadId, context)
}

async function endIfGone(
  { aggregates, queries }: ThreadTendingNeeds,
  { threadId, guildId, accountId, member }: ThreadMemberAdded,
  context: CommandContext,
): Promise<void> {
  if (await queries.members.find(guildId, accountId)) return
  const command = { type: 'EndThreadMembership', accountId, joinedAt: member.joinedAt } as const
  await aggregates.thread.execute(threadId, command, context)
}

/** A thread started from a message has the message's id. No message in the channel has the id of any other thread. */
async function clearAfter(ports: ThreadTendingNeeds, { threadId, ...deleted }: ThreadDeleted): Promise<void> {
  await ports.messages.removeChannels([threadId])
  const channel = await channelOf(ports, deleted)
  if (channel) await markStarter(ports, channel, { starterId: messageId(threadId) }, false)
}

async function channelOf(
  { queries }: ThreadTendingNeeds,
  { guildId, parentId }: Pick<ThreadStarted, 'guildId' | 'parentId'>,
) {
  const guild = await queries.guilds.find(guildId)
  const channel = guild?.channels.find(({ id }) => id === parentId)
  return guild && channel && { guild, channel }
}

/** Ends the memberships that began before the departure in the log: an account that is back may have joined a thread again. */
async function endMemberships(
  { aggregates, queries }: ThreadTendingNeeds,
  { guildId, accountId }: Departure,
  position: Position,
  context: CommandContext,
): Promise<void> {
  for (const { threadId, joinedAt } of await queries.threads.joinedIn(guildId, accountId, position)) {
    const command = { type: 'EndThreadMembership', accountId, joinedAt } as const
    await aggregates.thread.execute(threadId, command, context)
  }
}

async function endThreads(
  ports: ThreadTendingNeeds,
  channel: { readonly parentId: ChannelId } | { readonly guildId: GuildId },
  context: CommandContext,
): Promise<void> {
  for (const thread of await ports.queries.threads.idsUnder(channel)) await endUnlessEnded(ports, thread, context)
}

async function endUnlessEnded(ports: ThreadTendingNeeds, thread: ChannelId, context: CommandContext): Promise<void> {
  try {
    await endThread(ports, thread, 'parent_deleted', context)
  } catch (error) {
    // Another process has already ended it.
    if (!(error instanceof Refused)) throw error
  }
}
