import type { ReadState } from '../../application/ports/read-states.ts'
import type { SessionSnapshot } from '../../application/ports/queries/session-snapshot.ts'
import {
  readStateObject,
  type ReadStateObject,
} from '../../application/wire-objects/conversations/read-state-objects.ts'
import { channelId, messageId, type AccountId, type ChannelId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { threadTypes } from '../../domain/thread/state.ts'
import { viewsThread } from '../../domain/thread/views-thread.ts'
import type { Lookups } from '../visibility/lookups.ts'
import { permissionsAbove } from '../visibility/threads.ts'

/** ThreadLookups takes this many threads in one query. */
const threadsPerQuery_max = 1000

type Threads = Awaited<ReturnType<Lookups['heardBy']>>

/**
 * The read states in an account's READY; a bot has none. Mentions count where the account may view the channel now
 * (rules/messages#read-states). Rejects with `LookupFailed`.
 */
export async function shownReadStates(
  lookups: Pick<Lookups, 'ask' | 'heardBy'>,
  snapshot: SessionSnapshot,
  now: Timestamp,
): Promise<readonly ReadStateObject[]> {
  const { account, guilds } = snapshot
  if (account.bot) return []
  const stays = guilds.map(({ guild, member: { joinedAt, roles } }) => ({ guildId: guild.id, joinedAt, roles }))
  const states = await lookups.ask(({ readStates }) => readStates(account.id, stays))
  const threads = await threadsAmong(lookups, snapshot, states)
  return states.flatMap((state) => {
    const later_count = mentionsIn(snapshot, threads, state, now)
    const isKept = state.lastMessageId !== null || state.lastPinAt !== null
    if (!isKept && later_count === 0) return []
    // Where mentions alone are known, nothing is read: no message has a lower id than its channel.
    const lastMessageId = isKept ? state.lastMessageId : messageId(state.channelId)
    const mentionCount = state.mentionCount + later_count
    return [readStateObject({ ...state, lastMessageId, mentionCount, isThread: threads.has(state.channelId) })]
  })
}

/** Those of the read states' channels that are threads: neither the account's notes, nor its private channels, nor of its guilds. */
async function threadsAmong(
  lookups: Pick<Lookups, 'heardBy'>,
  { account, guilds, privateChannels }: SessionSnapshot,
  states: readonly ReadState[],
): Promise<Threads> {
  const known = new Set<ChannelId>([channelId(account.id)])
  for (const { id } of privateChannels) known.add(id)
  for (const { guild } of guilds) for (const { id } of guild.channels) known.add(id)
  const others = states.map((state) => state.channelId).filter((id) => !known.has(id))
  const found = new Map<ChannelId, readonly AccountId[] | null>()
  for (let from = 0; from < others.length; from += threadsPerQuery_max)
    for (const [id, members] of await lookups.heardBy(others.slice(from, from + threadsPerQuery_max)))
      found.set(id, members)
  return found
}

function mentionsIn(
  { account, guilds, privateChannels }: SessionSnapshot,
  threads: Threads,
  { channelId: id, later }: ReadState,
  now: Timestamp,
): number {
  if (!later) return 0
  const { guildId, parentId, isPrivate, count } = later
  if (guildId === null) return privateChannels.some((channel) => channel.id === id) ? count : 0
  const place = guilds.find(({ guild }) => guild.id === guildId)
  if (!place) return 0
  const mask = permissionsAbove(place.guild, place.member, parentId ?? id)
  const hasJoined = threads.get(id)?.includes(account.id) ?? false
  const threadType = isPrivate ? threadTypes.private : threadTypes.public
  return viewsThread(mask, place.member, { threadType, hasJoined, now }) ? count : 0
}
