import type { AccountId, ChannelId } from '../../domain/ids/ids.ts'
import type { ChannelLast } from '../../domain/messages/channel-last.ts'
import { threadOf } from '../../domain/thread/state.ts'
import { accountsIn, answersAnother } from '../../application/wire-objects/conversations/message-objects.ts'
import { threadObject, type ThreadObject } from '../../application/wire-objects/conversations/thread-objects.ts'
import { messageFlags } from '../../domain/messages/message-flags.ts'
import type { MessageNotice } from '../../application/ports/messages.ts'
import type { AccountNotice } from '../../application/ports/notices.ts'
import type { Lookups } from '../visibility/lookups.ts'
import type { RecentEvents } from '../events/recent-events.ts'
import type { World } from '../visibility/world.ts'
import type { FoundMessage, FoundMessages } from './found-messages.ts'
import type { MessageSource } from './follow-notices.ts'
import { isOfAccount } from './account-dispatches.ts'
import { existingPlaces, type ExistingPlaces } from './existing-places.ts'
import { isOfOneReaction } from './reaction-dispatches.ts'
import { membershipsOf } from './memberships.ts'
import { notesOf } from './notes-of.ts'

export interface NoticeSources {
  readonly lookups: Lookups
  readonly messages: Pick<MessageSource, 'findMany' | 'fileAddress' | 'reactionsOf'>
  readonly recent: Pick<RecentEvents, 'last' | 'remembers'>
  readonly world: World
}

/** Messages.findMany takes this many messages in one query. */
const found_max = 1000

/**
 * Looks up together what some notices tell of. Gives those of them that are still to be heard, in their order, and what was found.
 * Rejects with `LookupFailed`.
 */
export async function findForNotices(
  sources: NoticeSources,
  notices: readonly MessageNotice[],
): Promise<{ readonly heard: readonly MessageNotice[]; readonly found: FoundMessages }> {
  const places = await existingPlaces(sources, notices)
  const heard = notices.flatMap((notice) => places.heard(notice) ?? [])
  return { heard, found: await lookUp(sources, heard, places) }
}

async function lookUp(
  sources: NoticeSources,
  notices: readonly MessageNotice[],
  { nicks }: ExistingPlaces,
): Promise<FoundMessages> {
  const messages = await messagesOf(sources, notices)
  const reacted = reactorsOf(notices)
  const accounts = await sources.lookups.accountsOf([
    ...new Set([...accountsIn([...messages.values()]), ...reacted.map(({ authorId }) => authorId)]),
  ])
  const memberOf = await membershipsOf(
    sources,
    [...[...messages.values()].filter(({ webhook }) => !webhook), ...reacted].flatMap(({ guildId, authorId }) =>
      guildId === null ? [] : [{ guildId, accountId: authorId }],
    ),
  )
  const pins = await lastPinsOf(sources, notices)
  const threads = await threadsOf(sources, [...messages.values()])
  const readThreads = await threadsRead(sources, notices)
  const reactedTo = await reactionsHere(sources, notices, [...messages.values()])
  return {
    message: (place) => messages.get(keyOf(place)),
    account: (id) => {
      const record = accounts.get(id)
      if (!record) throw new Error('a message tells of an account that was not looked up')
      return record
    },
    fileAddress: sources.messages.fileAddress,
    reactedTo: (account) => reactedTo.get(account),
    member: ({ guildId, authorId }) => (guildId === null ? undefined : memberOf({ guildId, accountId: authorId })),
    thread: ({ id }) => threads.get(id),
    note: await notesOf(sources.lookups, notices),
    isThread: (channel) => readThreads.has(channel),
    lastPin: (channel) => pins.get(channel)?.pinnedAt ?? null,
    nicks,
  }
}

/**
 * Which reactions to changed messages are of accounts with sessions here, by account. Messages without reactions need no
 * query.
 */
async function reactionsHere(
  { lookups, messages: source, world }: NoticeSources,
  notices: readonly MessageNotice[],
  messages: readonly FoundMessage[],
): Promise<ReadonlyMap<AccountId, ReadonlySet<string>>> {
  const changed = notices.filter(({ kind }) => kind === 'updated' || kind === 'saved')
  const places = messages.flatMap(({ id, channelId, reactions }) => (reactions ? [{ channelId, messageId: id }] : []))
  const found = new Map<AccountId, Set<string>>()
  if (changed.length === 0 || places.length === 0) return found
  const here = new Set(changed.flatMap((notice) => accountsHere(world, notice)))
  for (const { accountId, messageId, emoji } of await lookups.ask(() => source.reactionsOf([...here], places)))
    found.set(accountId, (found.get(accountId) ?? new Set<string>()).add(`${messageId} ${emoji}`))
  return found
}

function accountsHere(world: World, { guildId, recipients }: MessageNotice): readonly AccountId[] {
  if (guildId === null) return recipients ?? []
  return [...(world.room(guildId)?.links ?? [])].map(({ session }) => session.accountId)
}

/** Those of the channels that accounts read that are threads. Where all of their sessions know threads, that matters to none. */
async function threadsRead(
  { lookups, world }: NoticeSources,
  notices: readonly MessageNotice[],
): Promise<ReadonlySet<ChannelId>> {
  const isWithout = (account: AccountId): boolean => world.sessionsOf(account).some((session) => !session.threadAccess)
  const channels = notices.flatMap((notice) =>
    isOfAccount(notice) && (notice.recipients ?? []).some(isWithout) ? [notice.channelId] : [],
  )
  return new Set((await lookups.heardBy([...new Set(channels)])).keys())
}

/** Who reacted, where in guilds. */
function reactorsOf(notices: readonly MessageNotice[]) {
  return notices.flatMap((notice) =>
    isOfOneReaction(notice) && notice.guildId !== null ? [{ guildId: notice.guildId, authorId: notice.accountId }] : [],
  )
}

/** When messages were last pinned in the places of notices of pins. */
async function lastPinsOf(
  { lookups }: NoticeSources,
  notices: readonly MessageNotice[],
): Promise<ReadonlyMap<ChannelId, ChannelLast>> {
  const channels = notices.flatMap(({ kind, channelId }) => (kind === 'pins' ? [channelId] : []))
  return channels.length === 0 ? new Map() : lookups.ask(({ lastMessages }) => lastMessages([...new Set(channels)]))
}

interface MessagePlace {
  readonly channelId: FoundMessage['channelId']
  readonly messageId: FoundMessage['id']
}

const keyOf = ({ channelId, messageId }: { readonly channelId: string; readonly messageId: string }): string =>
  `${channelId} ${messageId}`

/** The messages of the notices, and the messages that they answer. */
async function messagesOf(
  { lookups, messages }: NoticeSources,
  notices: readonly MessageNotice[],
): Promise<ReadonlyMap<string, FoundMessage>> {
  const found = new Map<string, FoundMessage>()
  const look = async (places: readonly MessagePlace[]): Promise<void> => {
    const missing = [...new Map(places.map((place) => [keyOf(place), place])).values()].filter(
      (place) => !found.has(keyOf(place)),
    )
    for (let from = 0; from < missing.length; from += found_max) {
      const asked = missing.slice(from, from + found_max)
      for (const message of await lookups.ask(() => messages.findMany(asked)))
        found.set(keyOf({ channelId: message.channelId, messageId: message.id }), message)
    }
  }
  await look(notices.filter(hasMessage))
  await look([...found.values()].flatMap((message) => (answersAnother(message) ? (message.reference ?? []) : [])))
  return found
}

/** The notices that are told with a message as it is now. */
type OfMessage = Exclude<
  MessageNotice,
  { readonly kind: 'deleted' | 'deleted_bulk' | Exclude<AccountNotice['kind'], 'saved'> }
>

function hasMessage(notice: MessageNotice): notice is OfMessage {
  return (
    notice.kind !== 'deleted' && notice.kind !== 'deleted_bulk' && (notice.kind === 'saved' || !isOfAccount(notice))
  )
}

/** The threads started from messages, by the messages' ids. */
async function threadsOf(
  { lookups }: NoticeSources,
  messages: readonly FoundMessage[],
): Promise<ReadonlyMap<string, ThreadObject>> {
  const found = await Promise.all(
    messages.map(async ({ id, flags }) => {
      if ((flags & messageFlags.HAS_THREAD) === 0) return []
      const thread = await lookups.ask((sources) => sources.threads.find(threadOf(id)))
      return thread ? ([[id, threadObject(thread)]] as const) : []
    }),
  )
  return new Map<string, ThreadObject>(found.flat())
}
