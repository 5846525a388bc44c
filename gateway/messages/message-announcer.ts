import type { AccountId, GuildId } from '../../domain/ids/ids.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import type { Membership } from '../../domain/membership/state.js'
import { heldRoles } from '../../domain/permissions/held-roles.js'
import { threadOf } from '../../domain/thread/state.js'
import { accountsIn, answersAnother } from '../../application/wire-objects/conversations/message-objects.js'
import { threadObject, type ThreadObject } from '../../application/wire-objects/conversations/thread-objects.js'
import { hasThread, type MessageNotice, type Messages } from '../../application/ports/messages.js'
import { deliver } from '../dispatches/deliver.js'
import type { AnnouncerSettings } from '../events/announcer.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../visibility/world.js'
import type { NewestMessages } from './newest-messages.js'
import { passiveUpdates, type PassiveUpdatesSettings } from './passive-updates.js'
import { standingPlaces, type StandingPlaces } from './standing-places.js'
import { messageDispatches, type FoundMessage, type FoundMessages } from './message-dispatches.js'

export interface MessageAnnouncerSettings extends AnnouncerSettings, PassiveUpdatesSettings {
  readonly messages: Pick<Messages, 'findMany'>
  readonly now: () => Timestamp
}

/** Messages.findMany takes this many messages in one query. */
const found_max = 1000

/**
 * The one way in which notices of messages become dispatches. It runs between two batches of events, so that nobody's view of a
 * channel changes meanwhile. Never rejects: sessions that could not be notified are ended.
 */
export function messageAnnouncer(
  settings: MessageAnnouncerSettings,
): (notices: readonly MessageNotice[]) => Promise<void> {
  const { world, newest, log, end, now, onDispatched } = settings
  const noteForPassive = passiveUpdates(settings)
  return async (notices) => {
    for (const notice of notices) {
      noteNewest(newest, notice)
      noteForPassive(notice)
    }
    const wanted = notices.filter((notice) => concerned(world, notice))
    if (wanted.length === 0) return
    try {
      const places = await standingPlaces(settings.lookups, wanted)
      const heard = wanted.flatMap((notice) => places.heard(notice) ?? [])
      const found = await lookUp(settings, heard, places)
      for (const notice of heard) {
        const room = notice.guildId === null ? undefined : world.room(notice.guildId)
        for (const dispatch of messageDispatches(notice, found, world, now()))
          onDispatched(deliver(dispatch, room, undefined))
      }
    } catch (error) {
      log.error({ error, notices: wanted.length }, 'messages could not be dispatched')
      for (const session of new Set(wanted.flatMap((notice) => sessionsIn(world, notice)))) end(session)
    }
  }
}

function noteNewest(newest: NewestMessages, notice: MessageNotice): void {
  const { kind, channelId } = notice
  if (kind === 'created') newest.note(channelId, notice.messageId)
  else if (kind === 'deleted') newest.forget(channelId, [notice.messageId])
  else if (kind === 'deleted_bulk') newest.forget(channelId, notice.messageIds)
}

/** Whether anybody here may need a dispatch. */
function concerned(world: World, { guildId, recipients }: MessageNotice): boolean {
  if (guildId !== null) return world.room(guildId) !== undefined
  return (recipients ?? []).some((account) => world.sessionsOf(account).length > 0)
}

function sessionsIn(world: World, { guildId, recipients }: MessageNotice): readonly Session[] {
  if (guildId === null) return (recipients ?? []).flatMap((account) => world.sessionsOf(account))
  return [...(world.room(guildId)?.links ?? [])].map(({ session }) => session)
}

async function lookUp(
  settings: MessageAnnouncerSettings,
  notices: readonly MessageNotice[],
  { nicks }: StandingPlaces,
): Promise<FoundMessages> {
  const { lookups } = settings
  const messages = await messagesOf(settings, notices)
  const accounts = await lookups.accountsOf(accountsIn([...messages.values()]))
  const members = await membersOf(settings, [...messages.values()])
  const threads = await threadsOf(settings, [...messages.values()])
  return {
    message: (place) => messages.get(keyOf(place)),
    account: (id) => {
      const record = accounts.get(id)
      if (!record) throw new Error('a message tells of an account that was not looked up')
      return record
    },
    member: ({ guildId, authorId }) => (guildId === null ? undefined : members.get(`${guildId} ${authorId}`)),
    thread: ({ id }) => threads.get(id),
    nicks,
  }
}

interface MessagePlace {
  readonly channelId: FoundMessage['channelId']
  readonly messageId: FoundMessage['id']
}

const keyOf = ({ channelId, messageId }: { readonly channelId: string; readonly messageId: string }): string =>
  `${channelId} ${messageId}`

/** The messages of the notices, and the messages that they answer. */
async function messagesOf(
  { lookups, messages }: MessageAnnouncerSettings,
  notices: readonly MessageNotice[],
): Promise<ReadonlyMap<string, FoundMessage>> {
  const found = new Map<string, FoundMessage>()
  const look = async (places: readonly MessagePlace[]): Promise<void> => {
    const missing = [...new Map(places.map((place) => [keyOf(place), place])).values()].filter(
      (place) => !found.has(keyOf(place)),
    )
    for (let from = 0; from < missing.length; from += found_max) {
      const asked = missing.slice(from, from + found_max)
      for (const message of await lookups.persistently(() => messages.findMany(asked)))
        found.set(keyOf({ channelId: message.channelId, messageId: message.id }), message)
    }
  }
  await look(notices.flatMap((notice) => (notice.kind === 'created' || notice.kind === 'updated' ? [notice] : [])))
  await look([...found.values()].flatMap((message) => (answersAnother(message) ? (message.reference ?? []) : [])))
  return found
}

/** The authors' memberships: from their sessions here, otherwise from the read models. */
async function membersOf(
  { lookups, world }: MessageAnnouncerSettings,
  messages: readonly FoundMessage[],
): Promise<ReadonlyMap<string, Membership>> {
  const found = new Map<string, Membership>()
  const missing = new Map<GuildId, Set<AccountId>>()
  for (const { guildId, authorId: accountId } of messages) {
    if (guildId === null) continue
    const member = world.memberHere({ guildId, accountId })
    const guild = world.room(guildId)?.guild
    if (member && guild) found.set(`${guildId} ${accountId}`, heldRoles(guild, member))
    else missing.set(guildId, (missing.get(guildId) ?? new Set<AccountId>()).add(accountId))
  }
  for (const [guildId, authors] of missing) {
    for (const member of await lookups.membersOf(guildId, [...authors])) {
      found.set(`${guildId} ${member.accountId}`, member)
    }
  }
  return found
}

/** The threads started from messages, by the messages' ids. */
async function threadsOf(
  { lookups }: MessageAnnouncerSettings,
  messages: readonly FoundMessage[],
): Promise<ReadonlyMap<string, ThreadObject>> {
  const found = await Promise.all(
    messages.map(async ({ id, flags }) => {
      const thread = (flags & hasThread) === 0 ? undefined : await lookups.threadOf(threadOf(id))
      return thread ? ([[id, threadObject(thread)]] as const) : []
    }),
  )
  return new Map<string, ThreadObject>(found.flat())
}
