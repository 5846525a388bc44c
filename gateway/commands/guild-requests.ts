import type { Channel } from '../../domain/guild/channel.ts'
import { isUnavailable, type Guild } from '../../domain/guild/state.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { computePermissions, holds } from '../../domain/permissions/compute-permissions.ts'
import { permissionBits } from '../../domain/permissions/permission-bits.ts'
import { guildReadyObject } from '../../application/wire-objects/communities/guild-ready-object.ts'
import { isStaff } from '../../application/wire-objects/identity/user-objects.ts'
import { guildReadyParts, laterGuild } from '../dispatches/guilds/guild-create.ts'
import type { MemberLists } from '../member-lists/member-lists.ts'
import { channelIn, mayLook } from '../member-lists/sight.ts'
import type { PresenceWatch } from '../presences/presence-watch.ts'
import type { Lookups } from '../visibility/lookups.ts'
import type { RecentEvents } from '../events/recent-events.ts'
import { dispatchFrame, type Frame, type LaterFrame } from '../protocol/frame.ts'
import {
  readChannelCountsRequest,
  readGuildCountsRequest,
  readSubscriptions,
  type ChannelCountsRequest,
  type Subscription,
} from '../protocol/guild-requests.ts'
import type { Session } from '../sessions/session.ts'
import { tick_ms, type Ticker } from '../ticker.ts'
import { guildBytes } from '../visibility/guild-size.ts'
import type { OnlineMembers } from '../visibility/online-members.ts'
import type { Link } from '../visibility/room.ts'
import { renewTallies, showsThreads, threadsKnownTo } from '../visibility/threads.ts'
import type { NewestMessages } from '../visibility/newest-messages.ts'
import type { World } from '../visibility/world.ts'
import type { BoundedRequests } from './bounded-requests.ts'

/** Guilds with a larger estimated size wait until the socket is ready. */
const guildAtOnce_bytes_max = 64 * 1024

export interface GuildRequestSettings {
  readonly world: World
  readonly online: OnlineMembers
  readonly recent: RecentEvents
  readonly ticker: Ticker
  readonly newest: NewestMessages
  readonly lookups: Pick<Lookups, 'talliesOf'>
  readonly requests: BoundedRequests
  readonly watch: PresenceWatch
  readonly memberLists: Pick<MemberLists, 'look' | 'end' | 'countsOf' | 'resumedAt'>
  readonly now: () => Timestamp
}

/** The requests of sessions about their guilds. A request that a session may not make gets no answer. */
export interface GuildRequests {
  /** A Lazy Request: makes guilds active or passive, and sends the requested guilds. */
  readonly subscribe: (session: Session, d: unknown) => void
  readonly sendGuildCounts: (session: Session, d: unknown) => void
  readonly sendChannelCounts: (session: Session, d: unknown) => void
  /** A client is back that has what was sent up to a number. What is never replayed must be sent again, or asked for again. */
  resumedAt(session: Session, seq: number): void
}

export function guildRequests(settings: GuildRequestSettings): GuildRequests {
  const { world, online } = settings
  return {
    subscribe(session, d) {
      if (session.account.bot) return
      const wanted = readSubscriptions(d).flatMap((subscription) => subscribeTo(settings, session, subscription))
      const withThreads = wanted.filter(showsThreads)
      if (withThreads.length > 0) sendCounted(settings, session, withThreads)
    },
    sendGuildCounts(session, d) {
      const request = readGuildCountsRequest(d)
      if (!request) return
      const links = request.ids.flatMap((id) => world.link(session, id) ?? []).filter(isReachable)
      const counts = links.map(({ room }) => ({ guild_id: room.id, ...countsOf(room, online) }))
      session.dispatch('GUILD_COUNTS_UPDATE', dispatchFrame('GUILD_COUNTS_UPDATE', answerTo(request, counts)))
    },
    sendChannelCounts(session, d) {
      const request = readChannelCountsRequest(d)
      if (request)
        void settings.requests.run(session, (isOver) => sendChannelCounts(settings, session, request, isOver))
    },
    resumedAt(session, seq) {
      for (const guild of world.guildIdsOf(session)) {
        const link = world.link(session, guild)
        if (link?.syncedAt !== undefined && link.syncedAt > seq) link.syncedAt = undefined
      }
      settings.memberLists.resumedAt(session, seq)
    },
  }
}

/** Gives the link if the guild must still be sent: one without threads has been sent already. */
function subscribeTo(settings: GuildRequestSettings, session: Session, subscription: Subscription): readonly Link[] {
  const { guildId, active, sync, memberLists: lists, members, typing } = subscription
  const { world, watch, memberLists } = settings
  const link = world.link(session, guildId)
  if (!link) return []
  const turnsActive = active === true && !link.active
  if (active === false && link.active) {
    link.syncedAt = undefined
    memberLists.end(link)
  }
  link.active = active ?? link.active
  const isWanted = sync || turnsActive
  if (isWanted && !showsThreads(link)) sendGuild(settings, link)
  if (turnsActive) watch.retell(link)
  if (lists && lists.size > 0) memberLists.look(link, lists)
  if (members) for (const account of watch.subscriptions.replace(link, members)) watch.recheck(account, link)
  link.typing = typing ?? link.typing
  return isWanted ? [link] : []
}

/** Sends guilds after looking up the message counts of their threads, which no event carries. */
function sendCounted(settings: GuildRequestSettings, session: Session, links: readonly Link[]): void {
  const { lookups, requests } = settings
  void requests.run(session, async (isOver) => {
    const tallies = await lookups.talliesOf(threadsKnownTo(links.filter(({ syncedAt }) => syncedAt === undefined)))
    if (isOver()) return
    renewTallies(links, tallies)
    for (const link of links) sendGuild(settings, link)
  })
}

/** Sends the guild unless the client has it, once the room has reached the position at which the session began. */
function sendGuild(settings: GuildRequestSettings, link: Link): void {
  const { world, recent, ticker, watch } = settings
  const { session, room } = link
  if (link.syncedAt !== undefined || world.link(session, room.id) !== link || !isReachable(link)) return
  if (room.position < link.since && recent.handled < link.since) {
    ticker.after(tick_ms, () => {
      sendGuild(settings, link)
    })
    return
  }
  session.answer('GUILD_SYNC', syncFrame(settings, link))
  link.syncedAt = session.sequence
  watch.retell(link)
}

/** Sends the counts of the channels whose members the session may look at, as they are once all are known. */
async function sendChannelCounts(
  { world, memberLists, online }: GuildRequestSettings,
  session: Session,
  request: ChannelCountsRequest,
  isOver: () => boolean,
): Promise<void> {
  const shown = (): readonly Channel[] => {
    const link = world.link(session, request.guildId)
    if (!link || !isReachable(link)) return []
    const channels = request.ids.flatMap((id) => channelIn(link.room, id) ?? [])
    return channels.filter((channel) => mayLook(link, channel))
  }
  const link = world.link(session, request.guildId)
  const isOpen = ({ overwrites }: Channel): boolean => link !== undefined && isOpenToAll(link.room.guild, overwrites)
  const others = shown().filter((channel) => !isOpen(channel))
  const counted =
    link && others.length > 0
      ? await memberLists.countsOf(
          link,
          others.map(({ id }) => id),
        )
      : undefined
  if (isOver()) return
  const counts = shown().flatMap((channel) => {
    const ofList = counted?.get(channel.id)
    const ofAll = link && isOpen(channel) ? countsOf(link.room, online) : undefined
    const found = ofList ? { member_count: ofList.memberCount, online_count: ofList.onlineCount } : ofAll
    return found ? [{ guild_id: request.guildId, channel_id: channel.id, ...found }] : []
  })
  const answer = answerTo(request, counts)
  session.dispatch('CHANNEL_MEMBER_COUNTS_UPDATE', dispatchFrame('CHANNEL_MEMBER_COUNTS_UPDATE', answer))
}

/** A large guild is encoded when the socket is ready: one request can name many. */
function syncFrame({ online, newest, now }: GuildRequestSettings, link: Link): Frame | LaterFrame {
  const { room, session } = link
  const count = online.count(room.id)
  if (guildBytes(link) > guildAtOnce_bytes_max) return laterGuild('GUILD_SYNC', link, count, now(), newest)
  return dispatchFrame('GUILD_SYNC', guildReadyObject(guildReadyParts(link, session, count, now(), newest), session))
}

function isReachable({ room, session }: Link): boolean {
  return !isUnavailable(room.guild, isStaff(session.account))
}

function countsOf(room: Link['room'], online: OnlineMembers) {
  return { member_count: room.memberCount, online_count: online.count(room.id) }
}

function answerTo({ nonce }: { readonly nonce: string | undefined }, counts: readonly object[]): object {
  return { counts, ...(nonce === undefined ? {} : { nonce }) }
}

/** Whether every member can view a channel with these overwrites: then it has as many members as the guild. */
function isOpenToAll(guild: Guild, overwrites: Channel['overwrites']): boolean {
  if (overwrites.some(({ deny }) => (BigInt(deny) & permissionBits.VIEW_CHANNEL) !== 0n)) return false
  return holds(computePermissions(guild, memberWithoutRoles, overwrites), 'VIEW_CHANNEL')
}

/** No account has this id. */
const memberWithoutRoles = { accountId: accountId(snowflake('0')), roles: [] }
