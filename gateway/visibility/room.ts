import { guild as guildAggregate } from '../../domain/guild/guild.ts'
import type { GuildEvent } from '../../domain/guild/events.ts'
import type { GuildExpressionsEvent } from '../../domain/guild-expressions/events.ts'
import { guildExpressions } from '../../domain/guild-expressions/guild-expressions.ts'
import { noExpressions, type Expressions } from '../../domain/guild-expressions/state.ts'
import type { Guild } from '../../domain/guild/state.ts'
import type { AccountId, ChannelId, GuildId } from '../../domain/ids/ids.ts'
import type { Membership } from '../../domain/membership/state.ts'
import type { ActiveThread } from '../../application/ports/thread-lookups.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { Session } from '../sessions/session.ts'
import { SparseMap } from '../sparse-map.ts'

/** In a guild with more members, a session that has not asked for more is sent less. */
export const alwaysActiveMembers_max = 250

/** One session in one guild. */
export interface Link {
  readonly session: Session
  room: Room
  /** The account's membership as of `memberAt`. */
  member: Membership
  memberAt: Position
  /** Events of the guild up to here were included when the link was made. */
  readonly since: Position
  /** Set by a Lazy Request, or by Identify for the initial guild. */
  active: boolean
  /** Whether the session hears who is writing, set by a Lazy Request; undefined: as it hears everything else. */
  typing: boolean | undefined
  /** The number of the dispatch that last sent the session the whole guild; undefined if it must be sent again. */
  syncedAt: number | undefined
  /** The active threads shown to the session, or to be shown with the guild: those it has joined; for a bot, all. */
  readonly threads: SparseMap<ChannelId, ActiveThread>
  /** Whether the session currently counts as online in the guild. */
  isCounted: boolean
  /** The last presences of members sent to it; absent ones are offline. */
  readonly told: ToldPresences
  /** Called once each, when the session leaves the guild; undefined for nothing. */
  ended: Set<() => void> | undefined
}

/** The link of a session that comes into a guild: it has asked for nothing there and was sent nothing. */
export function newLink(session: Session, room: Room, origin: Pick<Link, 'member' | 'memberAt' | 'since'>): Link {
  const { member, memberAt, since } = origin
  // Written out, since a session has one for every guild: an object made by spreading takes twice the memory.
  return {
    session,
    room,
    member: sharing(member, session.accountId, room.id),
    memberAt,
    since,
    active: false,
    typing: undefined,
    syncedAt: undefined,
    threads: new SparseMap(),
    isCounted: false,
    told: new SparseMap(),
    ended: undefined,
  }
}

const noRoles: Membership['roles'] = []

/** The membership with ids, and an empty list of roles, that it shares with others. */
function sharing(member: Membership, accountId: AccountId, guildId: GuildId): Membership {
  return { ...member, accountId, guildId, roles: member.roles.length === 0 ? noRoles : member.roles }
}

/** Presences as JSON. */
export type ToldPresences = SparseMap<AccountId, string>

/**
 * A guild with sessions: its state, folded from the same events by the same rules as everywhere, and the sessions that listen.
 */
export class Room {
  readonly id: GuildId
  readonly links = new Set<Link>()
  /** The links of bots among them. */
  readonly bots = new Set<Link>()
  #guild: Guild
  #expressions: Expressions
  #memberCount: number
  #position: Position

  constructor(guild: Guild, expressions: Expressions, memberCount: number, position: Position) {
    this.id = guild.id
    this.#guild = guild
    this.#expressions = expressions
    this.#memberCount = memberCount
    this.#position = position
  }

  get guild(): Guild {
    return this.#guild
  }

  /** The guild's emojis and stickers. */
  get expressions(): Expressions {
    return this.#expressions
  }

  get memberCount(): number {
    return this.#memberCount
  }

  /** Events up to here are in the state. */
  get position(): Position {
    return this.#position
  }

  add(link: Link): void {
    this.links.add(link)
    if (link.session.account.bot) this.bots.add(link)
  }

  remove(link: Link): void {
    this.links.delete(link)
    this.bots.delete(link)
  }

  /** Applies an event of the guild itself. */
  evolve(event: GuildEvent, position: Position): void {
    if (!this.#advance(position)) return
    const next = guildAggregate.evolve({ status: 'active', ...this.#guild }, event)
    if (next.status === 'active') this.#guild = next
  }

  /** Applies an event of the guild's expressions. */
  evolveExpressions(event: GuildExpressionsEvent, position: Position): void {
    if (!this.#advance(position)) return
    const next = guildExpressions.evolve({ status: 'kept', ...this.#expressions }, event)
    this.#expressions = next.status === 'kept' ? next : noExpressions
  }

  /** Counts a member in (1) or out (-1). */
  count(change: 1 | -1, position: Position): void {
    if (this.#advance(position)) this.#memberCount = Math.max(0, this.#memberCount + change)
  }

  /**
   * Names a member's rights here. Members with the same name have the same rights in the guild and in every channel, so these are
   * computed once for all of them.
   */
  visibilityClass({ member }: Link): string {
    return this.classOf(member)
  }

  /** The same for a member without sessions here. */
  classOf(member: Membership): string {
    return visibilityClassIn(this.#guild, member)
  }

  #advance(position: Position): boolean {
    if (position <= this.#position) return false
    this.#position = position
    return true
  }
}

/** The same for another state of the guild. */
export function visibilityClassIn(guild: Guild, { accountId, roles }: Membership): string {
  if (accountId === guild.ownerId) return 'owner'
  return namedMembers(guild).has(accountId) ? `member ${accountId}` : roles.join(' ')
}

/** Cached as long as the channels themselves: a guild can have 250,000 overwrites, and few events change them. */
const namedIn = new WeakMap<Guild['channels'], ReadonlySet<string>>()

/** The members named in the channels' overwrites. */
function namedMembers({ channels }: Guild): ReadonlySet<string> {
  const known = namedIn.get(channels)
  if (known) return known
  const named = new Set(
    channels.flatMap(({ overwrites }) => overwrites.filter(({ type }) => type === 1).map(({ id }) => id)),
  )
  namedIn.set(channels, named)
  return named
}

/** Judges the members of a room, once for all with the same rights. Use the result for one dispatch only. */
export function perVisibilityClass<Judgement>(judge: (link: Link) => Judgement): (link: Link) => Judgement {
  const judged = new Map<string, { readonly judgement: Judgement }>()
  return (link) => {
    const visibility = link.room.visibilityClass(link)
    const known = judged.get(visibility) ?? { judgement: judge(link) }
    judged.set(visibility, known)
    return known.judgement
  }
}
