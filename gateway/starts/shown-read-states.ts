import type { HeardThread } from '../../application/ports/thread-lookups.ts'
import type { ReadState } from '../../application/ports/read-states.ts'
import type { SessionSnapshot } from '../../application/ports/queries/session-snapshot.ts'
import {
  readStateObject,
  type ReadStateObject,
} from '../../application/wire-objects/conversations/read-state-objects.ts'
import { channelId, messageId, type ChannelId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { threadTypes } from '../../domain/thread/state.ts'
import { viewsThread } from '../../domain/thread/views-thread.ts'
import type { Lookups } from '../visibility/lookups.ts'
import { permissionsAbove } from '../visibility/threads.ts'

/** ThreadLookups takes this many threads in one query. */
const placesPerQuery_max = 1000

type Threads = Awaited<ReturnType<Lookups['heardBy']>>
type Needs = Pick<Lookups, 'ask' | 'heardBy' | 'privateChannelsOf'>

/**
 * The read states in an account's READY; a bot has none. Those of places that the account has left are not shown, and removed once
 * they are old. Mentions count where the account may view the channel now (rules/messages#read-states). Rejects with `LookupFailed`.
 */
export async function shownReadStates(
  lookups: Needs,
  snapshot: SessionSnapshot,
  now: Timestamp,
): Promise<readonly ReadStateObject[]> {
  const { account, guilds } = snapshot
  if (account.bot) return []
  const stays = guilds.map(({ guild, member: { joinedAt, roles } }) => ({ guildId: guild.id, joinedAt, roles }))
  const states = await lookups.ask(({ readStates }) => readStates.of(account.id, stays))
  const { threads, left } = await placesAmong(lookups, snapshot, states)
  const ended = states.filter(({ channelId: id, isOld }) => isOld && left.has(id)).map((state) => state.channelId)
  if (ended.length > 0) await lookups.ask(({ readStates }) => readStates.forgetLeft(account.id, ended))
  return states.flatMap((state) => {
    if (left.has(state.channelId)) return []
    const later_count = mentionsIn(snapshot, threads, state, now)
    const isKept = state.lastMessageId !== null || state.lastPinAt !== null
    if (!isKept && later_count === 0) return []
    // Where mentions alone are known, nothing is read: no message has a lower id than its channel.
    const lastMessageId = isKept ? state.lastMessageId : messageId(state.channelId)
    const mentionCount = state.mentionCount + later_count
    return [readStateObject({ ...state, lastMessageId, mentionCount, isThread: threads.has(state.channelId) })]
  })
}

/**
 * Which of the read states' channels are threads, and which of them the account has left: those that are neither its notes, nor a
 * private channel of its own, open or closed, nor in a guild of its.
 */
async function placesAmong(
  lookups: Needs,
  { account, guilds, privateChannels }: SessionSnapshot,
  states: readonly ReadState[],
): Promise<{ readonly threads: Threads; readonly left: ReadonlySet<ChannelId> }> {
  const known = new Set<ChannelId>([channelId(account.id)])
  for (const { id } of privateChannels) known.add(id)
  for (const { guild } of guilds) for (const { id } of guild.channels) known.add(id)
  const others = states.map((state) => state.channelId).filter((id) => !known.has(id))
  const found = new Map<ChannelId, HeardThread>()
  const left = new Set<ChannelId>()
  const guildIds = new Set(guilds.map(({ guild }) => guild.id))
  for (let from = 0; from < others.length; from += placesPerQuery_max) {
    const asked = others.slice(from, from + placesPerQuery_max)
    const threads = await lookups.heardBy(asked)
    const channels = await lookups.privateChannelsOf(asked.filter((id) => !threads.has(id)))
    for (const [id, thread] of threads) found.set(id, thread)
    for (const id of asked) {
      const thread = threads.get(id)
      const isIn = thread ? guildIds.has(thread.guildId) : channels.get(id)?.recipients.includes(account.id) === true
      if (!isIn) left.add(id)
    }
  }
  return { threads: found, left }
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
  const hasJoined = threads.get(id)?.members?.includes(account.id) ?? false
  const threadType = isPrivate ? threadTypes.private : threadTypes.public
  return viewsThread(mask, place.member, { threadType, hasJoined, now }) ? count : 0
}
