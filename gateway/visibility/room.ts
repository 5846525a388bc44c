import { guild as guildAggregate } from '../../domain/guild/guild.js'
import type { GuildEvent } from '../../domain/guild/events.js'
import type { Guild } from '../../domain/guild/state.js'
import type { AccountId, ChannelId, GuildId } from '../../domain/ids/ids.js'
import type { Membership } from '../../domain/membership/state.js'
import type { ActiveThread } from '../../application/ports/thread-lookups.js'
import type { Position } from '../../application/ports/event-store.js'
import type { Session } from '../sessions/session.js'

/** Beyond so many members, a session that has not asked for more is told less (reference gateway 2.2). */
export const alwaysActiveMembers_max = 250

/** One session in one guild. */
export interface Link {
  readonly session: Session
  room: Room
  /** The account's membership as of `memberAt`. */
  member: Membership
  memberAt: Position
  /** What happened in the guild up to here is in what the session was sent when the link was made. */
  readonly since: Position
  /** Set by a Lazy Request, or by Identify for the first guild. */
  active: boolean
  /** The number of the dispatch that last gave the session the whole guild; undefined where it has to be given again. */
  syncedAt: number | undefined
  /** The active threads that the session was shown, or is to be with the guild: those it has joined, a bot all. */
  readonly threads: Map<ChannelId, ActiveThread>
  /** Whether the session counts among those that are online in the guild now. */
  isCounted: boolean
  /** How it was told last that members are seen; those missing, as offline. */
  readonly told: ToldPresences
  /** Called once, when the session is no longer in the guild. */
  ended: () => void
}

/** Presences as JSON. */
export type ToldPresences = Map<AccountId, string>

/** A guild with sessions: its state, folded from the same events by the same rules as everywhere, and who is listening. */
export class Room {
  readonly id: GuildId
  readonly links = new Set<Link>()
  /** Those of bots among them. */
  readonly bots = new Set<Link>()
  #guild: Guild
  #memberCount: number
  #position: Position

  constructor(guild: Guild, memberCount: number, position: Position) {
    this.id = guild.id
    this.#guild = guild
    this.#memberCount = memberCount
    this.#position = position
  }

  get guild(): Guild {
    return this.#guild
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

  /** Takes in an event of the guild itself. */
  evolve(event: GuildEvent, position: Position): void {
    if (!this.#advance(position)) return
    const next = guildAggregate.evolve({ status: 'active', ...this.#guild }, event)
    if (next.status === 'active') this.#guild = next
  }

  /** Takes in that a member came (1) or went (-1). */
  count(change: 1 | -1, position: Position): void {
    if (this.#advance(position)) this.#memberCount = Math.max(0, this.#memberCount + change)
  }

  /**
   * Names what a member may see and do here: who has the same name has the same rights in the guild and in every channel, so
   * that they are worked out once for all of them.
   */
  visibilityClass({ member }: Link): string {
    return this.classOf(member)
  }

  /** The same of a member who need not have sessions here. */
  classOf(member: Membership): string {
    return visibilityClassIn(this.#guild, member)
  }

  #advance(position: Position): boolean {
    if (position <= this.#position) return false
    this.#position = position
    return true
  }
}

/** The same, of a guild that need not be the room's any more. */
export function visibilityClassIn(guild: Guild, { accountId, roles }: Membership): string {
  if (accountId === guild.ownerId) return 'owner'
  return namedMembers(guild).has(accountId) ? `member ${accountId}` : roles.join(' ')
}

/** Remembered as long as the channels themselves: a guild can have 250,000 overwrites, and few events change them. */
const namedIn = new WeakMap<Guild['channels'], ReadonlySet<string>>()

/** The members that the channels' overwrites name. */
function namedMembers({ channels }: Guild): ReadonlySet<string> {
  const known = namedIn.get(channels)
  if (known) return known
  const named = new Set(
    channels.flatMap(({ overwrites }) => overwrites.filter(({ type }) => type === 1).map(({ id }) => id)),
  )
  namedIn.set(channels, named)
  return named
}

/** Judges the members of a room: all with the same rights at once, as long as what is made of it is used for one dispatch. */
export function perVisibilityClass<Judgement>(judge: (link: Link) => Judgement): (link: Link) => Judgement {
  const judged = new Map<string, { readonly judgement: Judgement }>()
  return (link) => {
    const visibility = link.room.visibilityClass(link)
    const known = judged.get(visibility) ?? { judgement: judge(link) }
    judged.set(visibility, known)
    return known.judgement
  }
}
