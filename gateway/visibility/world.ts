import type { GuildEvent } from '../../domain/guild/events.ts'
import type { Guild } from '../../domain/guild/state.ts'
import type { Expressions } from '../../domain/guild-expressions/state.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import { memberAtFirst, membership } from '../../domain/membership/membership.ts'
import type { MembershipEvent } from '../../domain/membership/events.ts'
import type { Membership } from '../../domain/membership/state.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { SessionSnapshot } from '../../application/ports/queries/session-snapshot.ts'
import {
  accountsOf,
  changesShownAccount,
  guildOf,
  isOfExpressions,
  isOfGuild,
  type Known,
  type KnownEvent,
} from './known-event.ts'
import type { Session } from '../sessions/session.ts'
import type { OnlineMembers } from './online-members.ts'
import { newLink, Room, type Link } from './room.ts'

/** The changes that an event made to sessions and guilds. */
export interface Change {
  /** The guild of the event, as it is now; undefined if it has no session before or after. */
  readonly room: Room | undefined
  /** The same guild before the event. */
  readonly was: Guild | undefined
  /** Links that the event made, and links that it ended. */
  readonly arrived: readonly Link[]
  readonly departed: readonly Link[]
  /** The links of a changed member, with the previous membership. */
  readonly memberships?: ReadonlyMap<Link, Membership>
}

/** A guild as one of its members sees it, from which a room can start. */
export interface Opening {
  readonly position: Position
  readonly guild: Guild
  readonly expressions: Expressions
  readonly member: Membership
  readonly memberCount: number
}

/** A session's guilds, last joined last. */
type Links = Map<GuildId, Link>

const nothing = { arrived: [], departed: [] } as const

/** Who is where: the guilds with sessions, and each account's sessions with their links to guilds. */
export class World {
  readonly #rooms = new Map<GuildId, Room>()
  readonly #sessions = new Map<AccountId, Map<Session, Links>>()
  readonly #online: OnlineMembers
  readonly #onAccount: (account: AccountId) => void
  /** Rooms that their last session has left. */
  #left = new Set<Room>()

  /** `onAccount` is called with accounts whose sessions came, went, or changed their presence. */
  constructor(online: OnlineMembers, onAccount: (account: AccountId) => void = () => undefined) {
    this.#online = online
    this.#onAccount = onAccount
  }

  get roomCount(): number {
    return this.#rooms.size
  }

  room(guild: GuildId): Room | undefined {
    return this.#rooms.get(guild)
  }

  sessionsOf(account: AccountId): readonly Session[] {
    return [...(this.#sessions.get(account)?.keys() ?? [])]
  }

  /** The bots of an account with sessions here. */
  botsOf(owner: AccountId): readonly AccountId[] {
    return [...this.#sessions].flatMap(([account, sessions]) => {
      const [session] = sessions.keys()
      return session?.account.bot === true && session.account.botOwnerId === owner ? [account] : []
    })
  }

  link(session: Session, guild: GuildId): Link | undefined {
    return this.#linksOf(session)?.get(guild)
  }

  /** A membership as a session of the account knows it; undefined if the account has no session here. */
  memberHere(of: { readonly guildId: GuildId; readonly accountId: AccountId }): Membership | undefined {
    return this.#linksIn(of)[0]?.member
  }

  /** The session's guilds in the order of the folder layout: last joined first. */
  guildIdsOf(session: Session): readonly GuildId[] {
    return [...(this.#linksOf(session)?.keys() ?? [])].reverse()
  }

  /** The session's memberships, in the same order. */
  membershipsOf(session: Session): readonly Membership[] {
    return [...(this.#linksOf(session)?.values() ?? [])].map(({ member }) => member).reverse()
  }

  /** Whether an event concerns anybody here. */
  concerns(event: KnownEvent): boolean {
    const guild = guildOf(event)
    const isInGuild = guild === undefined ? changesShownAccount(event) && this.roomCount > 0 : this.#rooms.has(guild)
    return isInGuild || accountsOf(event).some((id) => this.#sessions.has(id))
  }

  /** Every session that is in a guild. */
  sessionsInGuilds(): ReadonlySet<Session> {
    return new Set([...this.#rooms.values()].flatMap(({ links }) => [...links].map(({ session }) => session)))
  }

  /** Whether a guild of the snapshot is further ahead here than both the snapshot and everything handled. */
  isAheadOf({ guilds, position }: SessionSnapshot, handled: Position): boolean {
    return guilds.some(({ guild }) => {
      const room = this.#rooms.get(guild.id)
      return room !== undefined && room.position > handled && room.position > position
    })
  }

  /** Adds a session to every guild of its snapshot. */
  admit(session: Session, { guilds, position }: SessionSnapshot): void {
    const links: Links = new Map()
    this.#linksByAccount(session.accountId).set(session, links)
    for (const { guild, expressions, member, memberCount } of guilds.toReversed()) {
      const room = this.#open({ guild, expressions, member, memberCount, position })
      this.#connect(session, links, room, { member, memberAt: position, since: position })
    }
  }

  /** Takes over the sessions of another world that has handled the same events, and its rooms for guilds without one here. */
  absorb(other: World): void {
    for (const [account, sessions] of other.#sessions) {
      for (const [session, links] of sessions) {
        this.#linksByAccount(account).set(session, links)
        for (const [guild, link] of links) {
          link.room = this.#rooms.get(guild) ?? link.room
          link.room.add(link)
          this.#rooms.set(guild, link.room)
          this.#countOnline(link)
        }
      }
    }
  }

  /** Removes a session. */
  remove(session: Session): void {
    for (const link of this.#linksOf(session)?.values() ?? []) this.#disconnect(link)
    const sessions = this.#sessions.get(session.accountId)
    sessions?.delete(session)
    if (sessions?.size === 0) this.#sessions.delete(session.accountId)
    this.#onAccount(session.accountId)
  }

  /** Counts a session as online, or not, in each of its guilds, by its current state. */
  recountOnline(session: Session): void {
    for (const link of this.#linksOf(session)?.values() ?? []) this.#countOnline(link)
    this.#onAccount(session.accountId)
  }

  /** Removes guilds without sessions. */
  closeEmptyRooms(): void {
    for (const room of this.#left) if (room.links.size === 0) this.#rooms.delete(room.id)
    this.#left = new Set()
  }

  /** Whether an account with sessions here joins a guild that has no room yet. */
  needsOpening(event: KnownEvent): event is Known<'MemberJoined'> {
    if (event.type !== 'MemberJoined' || this.#rooms.has(event.data.guildId)) return false
    return this.sessionsOf(event.data.accountId).some(({ since }) => since < event.position)
  }

  /**
   * Applies an event. If an account joins a guild that has no room here, the guild must be given as the `opening`,
   * looked up at the event's position or later. Without it the account counts as gone again, and hears neither of the
   * join nor of the departure.
   */
  apply(event: KnownEvent, opening?: Opening): Change {
    const guild = guildOf(event)
    const room = guild && this.#rooms.get(guild)
    const was = room?.guild
    if (isOfGuild(event)) return this.#evolveGuild(event, room)
    if (isOfExpressions(event)) room?.evolveExpressions(event, event.position)
    switch (event.type) {
      case 'MemberJoined':
        return this.#join(event, opening)
      case 'MemberLeft':
      case 'MemberKicked':
      case 'MemberBanned':
        if (event.type !== 'MemberBanned' || event.data.wasMember) room?.count(-1, event.position)
        return { room, was, arrived: [], departed: this.#depart(event) }
      case 'MemberChanged':
      case 'MemberRolesChanged':
        return { room, was, ...nothing, memberships: this.#evolveMember(event) }
      // All other events move nobody.
      default:
        return { room, was, ...nothing }
    }
  }

  #join(event: Known<'MemberJoined'>, opening: Opening | undefined): Change {
    const { guildId, accountId } = event.data
    const before = this.#rooms.get(guildId)
    const room = before ?? (opening && this.#open(opening))
    if (!room) return { room, was: undefined, ...nothing }
    room.count(1, event.position)
    const origin =
      opening && !before
        ? { member: opening.member, memberAt: opening.position, since: opening.position }
        : { member: memberAtFirst(event.data), memberAt: event.position, since: room.position }
    const newcomers = [...(this.#sessions.get(accountId) ?? [])].filter(
      ([session, links]) => session.since < event.position && !links.has(guildId),
    )
    const arrived = newcomers.map(([session, links]) => this.#connect(session, links, room, origin))
    return { room, was: before?.guild, arrived, departed: [] }
  }

  #evolveGuild(event: Known<GuildEvent['type']>, room: Room | undefined): Change {
    const was = room?.guild
    if (event.type === 'GuildDeleted') return { room, was, arrived: [], departed: this.#close(room) }
    room?.evolve(event, event.position)
    return { room, was, ...nothing }
  }

  #depart(event: Known<'MemberLeft' | 'MemberKicked' | 'MemberBanned'>): readonly Link[] {
    const departed = this.#linksIn(event.data).filter(({ memberAt }) => memberAt < event.position)
    for (const link of departed) this.#disconnect(link)
    return departed
  }

  #evolveMember(event: MembershipEvent & { readonly position: Position }): ReadonlyMap<Link, Membership> {
    const before = new Map<Link, Membership>()
    for (const link of this.#linksIn(event.data)) {
      if (link.memberAt >= event.position) continue
      before.set(link, link.member)
      const next = membership.evolve({ status: 'member', ...link.member }, event)
      if (next.status === 'member') link.member = next
      link.memberAt = event.position
    }
    return before
  }

  #close(room: Room | undefined): readonly Link[] {
    const departed = [...(room?.links ?? [])]
    for (const link of departed) this.#disconnect(link)
    if (room) this.#rooms.delete(room.id)
    return departed
  }

  #open({ guild, expressions, memberCount, position }: Opening): Room {
    const room = this.#rooms.get(guild.id) ?? new Room(guild, expressions, memberCount, position)
    this.#rooms.set(guild.id, room)
    return room
  }

  #connect(session: Session, links: Links, room: Room, origin: Pick<Link, 'member' | 'memberAt' | 'since'>): Link {
    const link = newLink(session, room, origin)
    links.set(room.id, link)
    room.add(link)
    this.#countOnline(link)
    return link
  }

  #disconnect(link: Link): void {
    link.room.remove(link)
    for (const end of link.ended ?? []) end()
    this.#linksOf(link.session)?.delete(link.room.id)
    if (link.room.links.size === 0) this.#left.add(link.room)
    if (link.isCounted) this.#online.add(link.room.id, link.session.accountId, -1)
    link.isCounted = false
  }

  #countOnline(link: Link): void {
    if (link.isCounted === link.session.isOnline) return
    link.isCounted = link.session.isOnline
    this.#online.add(link.room.id, link.session.accountId, link.isCounted ? 1 : -1)
  }

  #linksIn({ guildId, accountId }: { readonly guildId: GuildId; readonly accountId: AccountId }): readonly Link[] {
    const sessions = this.#sessions.get(accountId)
    return [...(sessions?.values() ?? [])].flatMap((links) => links.get(guildId) ?? [])
  }

  #linksOf(session: Session): Links | undefined {
    return this.#sessions.get(session.accountId)?.get(session)
  }

  #linksByAccount(account: AccountId): Map<Session, Links> {
    const links = this.#sessions.get(account) ?? new Map<Session, Links>()
    this.#sessions.set(account, links)
    return links
  }
}
