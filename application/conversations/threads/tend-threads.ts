import type { ChannelDeleted } from '../../../domain/guild/channel-events.js'
import type { GuildEvent } from '../../../domain/guild/events.js'
import { messageId, type ChannelId, type GuildId } from '../../../domain/ids/ids.js'
import type { MembershipEvent } from '../../../domain/membership/events.js'
import type { ThreadDeleted, ThreadMemberAdded, ThreadStarted } from '../../../domain/thread/events.js'
import { finishingContext } from '../../commands/following-context.js'
import { Refused } from '../../commands/refused.js'
import type { CommandContext } from '../../commands/command-context.js'
import type { Position, RecordedEvent } from '../../ports/event-store.js'
import type { Ports } from '../../ports.js'
import { endThread } from './delete-thread.js'
import { markStarter } from './thread-messages.js'

export type ThreadTendingNeeds = Pick<Ports, 'aggregates' | 'messages' | 'queries' | 'readModels'>

type Departure = Extract<MembershipEvent, { readonly type: 'MemberLeft' | 'MemberKicked' | 'MemberBanned' }>['data']
type GuildDeleted = Extract<GuildEvent, { readonly type: 'GuildDeleted' }>['data']

/** The events that threads follow from, or that something follows from for them. */
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
 * Does to threads what follows from an event: the memberships of an account end that is gone from its guild (contract part 1, Leave
 * guild), threads end whose channel or guild is gone, what was written in one that is gone goes for good, and the message that one
 * was started from is marked for as long as there is the thread. A thread and a membership are looked at when they begin too: they
 * may have begun behind the end of what they hang on. Safe to repeat.
 */
export function tendThreads(ports: ThreadTendingNeeds) {
  return async (event: RecordedEvent): Promise<void> => {
    await ports.readModels.reached(event.position)
    const { metadata, data } = event
    const context = finishingContext(metadata, 'threads', metadata.at)
    // The type of an event says what its data are.
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
  const place = await channelOf(ports, { guildId, parentId })
  if (place) await markStarter(ports, place, { starterId }, true)
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

/** A thread that was started from a message has its id; of one of its own, no message in the channel has. */
async function clearAfter(ports: ThreadTendingNeeds, { threadId, ...deleted }: ThreadDeleted): Promise<void> {
  await ports.messages.removeChannels([threadId])
  const place = await channelOf(ports, deleted)
  if (place) await markStarter(ports, place, { starterId: messageId(threadId) }, false)
}

async function channelOf(
  { queries }: ThreadTendingNeeds,
  { guildId, parentId }: Pick<ThreadStarted, 'guildId' | 'parentId'>,
) {
  const guild = await queries.guilds.find(guildId)
  const channel = guild?.channels.find(({ id }) => id === parentId)
  return guild && channel && { guild, channel }
}

/** Those that began before the departure in the log: whoever is back by now may have joined a thread again. */
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
  place: { readonly parentId: ChannelId } | { readonly guildId: GuildId },
  context: CommandContext,
): Promise<void> {
  for (const thread of await ports.queries.threads.idsUnder(place)) await endUnlessEnded(ports, thread, context)
}

async function endUnlessEnded(ports: ThreadTendingNeeds, thread: ChannelId, context: CommandContext): Promise<void> {
  try {
    await endThread(ports, thread, 'parent_deleted', context)
  } catch (error) {
    // Somebody else has ended it.
    if (!(error instanceof Refused)) throw error
  }
}
