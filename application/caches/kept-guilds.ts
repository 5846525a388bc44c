import { LRUCache } from 'lru-cache'
import type { Guild } from '../../domain/guild/state.js'
import { guildId, type AccountId, type ChannelId, type GuildId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import { growsTo } from '../../domain/kernel/grows-to.js'
import { categoryOf, idOf } from '../../domain/streams.js'
import type { Membership } from '../../domain/membership/state.js'
import type { Position, RecordedEvent } from '../ports/event-store.js'
import type { GuildWithMember } from '../ports/queries/guild-queries.js'
import { readings, type Reading } from './readings.js'

/** Guilds that are kept together have so many roles, channels and overwrites at most: some hundred bytes each. */
export const guildParts_max = 400_000
export const membershipsAtHand_max = 100_000
export const channelsAtHand_max = 200_000
export const countsAtHand_max = 50_000

/** A membership as it was read with a guild: its roles are those of that very state of the guild. */
export interface MembershipOf {
  readonly member: Membership
  readonly guild: Guild
}

/**
 * Guilds, memberships and counts of members that were read, until an event changes them. All that is kept is as it stands at the
 * position that was published last, so that it fits together.
 */
export class KeptGuilds {
  readonly #published: () => Position | undefined
  readonly #guilds = new LRUCache<GuildId, Guild>({ maxSize: guildParts_max, sizeCalculation: partsOf })
  readonly #places = new LRUCache<ChannelId, GuildId>(growsTo(channelsAtHand_max))
  readonly #counts = new LRUCache<GuildId, number>(growsTo(countsAtHand_max))
  readonly #memberships = new LRUCache<string, MembershipOf>(growsTo(membershipsAtHand_max))
  readonly #readings = readings()

  /** `published` gives the position up to which every event was given to `forget`; undefined while nothing is kept. It only grows. */
  constructor(published: () => Position | undefined) {
    this.#published = published
  }

  guild(id: GuildId): Guild | undefined {
    return this.#guilds.get(id)
  }

  count(id: GuildId): number | undefined {
    return this.#counts.get(id)
  }

  /** A guild and a membership in it, where both are kept. */
  membership(id: GuildId, account: AccountId): MembershipOf | undefined {
    const membership = this.#memberships.get(membershipName(id, account))
    return membership && this.#guilds.get(id) === membership.guild ? membership : undefined
  }

  /** The guild that a channel was in; it may be gone since. */
  placeOf(channel: ChannelId): GuildId | undefined {
    return this.#places.get(channel)
  }

  /** `keep` is given what was read as of a position that was published while it was read: only that may fit to all else. */
  async read<Found extends { readonly position: Position }>(
    ask: () => Promise<Found | undefined>,
    keep: (found: Found, reading: Reading) => void,
  ): Promise<Found | undefined> {
    const reading = this.#readings.begin()
    const from = this.#published()
    try {
      const found = await ask()
      const to = this.#published()
      if (found && from !== undefined && to !== undefined && from <= found.position && found.position <= to)
        keep(found, reading)
      return found
    } finally {
      reading.end()
    }
  }

  keepGuild({ guild, member, memberCount }: GuildWithMember, account: AccountId, reading: Reading): void {
    const { id } = guild
    if (!reading.isFresh(guildName(id))) return
    // What is kept already says the same.
    const kept = this.#guilds.get(id) ?? guild
    if (kept === guild) {
      this.#guilds.set(id, guild)
      for (const channel of guild.channels) this.#places.set(channel.id, id)
    }
    this.keepCount(id, memberCount, reading)
    if (member) this.keepMembership({ guild: kept, member }, account, reading)
  }

  keepCount(id: GuildId, count: number, { isFresh }: Reading): void {
    if (isFresh(countName(id))) this.#counts.set(id, count)
  }

  keepMembership(membership: MembershipOf, account: AccountId, reading: Reading): void {
    if (this.fits(membership.guild, account, reading))
      this.#memberships.set(membershipName(membership.guild.id, account), membership)
  }

  /** Whether what was read of an account's membership belongs to a guild that is kept. */
  fits(guild: Guild, account: AccountId, { isFresh }: Reading): boolean {
    const isKept = this.#guilds.get(guild.id) === guild && isFresh(guildName(guild.id))
    return isKept && isFresh(membershipName(guild.id, account))
  }

  forget({ stream, type }: RecordedEvent): void {
    const category = categoryOf(stream)
    if (category === 'guild') this.#forgetGuild(guildOf(idOf(stream)))
    else if (category === 'membership') this.#forgetMembership(idOf(stream), guildOf(idOf(stream).split('-', 1).join()))
    // What an account is called in its guilds goes with it.
    else if (type === 'AccountErasureStarted') this.forgetAll()
  }

  forgetAll(): void {
    this.#readings.forgetAll()
    for (const cache of [this.#guilds, this.#places, this.#counts, this.#memberships]) cache.clear()
  }

  /** Memberships that were read with it count no more. */
  #forgetGuild(id: GuildId): void {
    this.#readings.forget(guildName(id))
    this.#readings.forget(countName(id))
    this.#guilds.delete(id)
    this.#counts.delete(id)
  }

  #forgetMembership(name: string, id: GuildId): void {
    this.#readings.forget(name)
    this.#readings.forget(countName(id))
    this.#memberships.delete(name)
    this.#counts.delete(id)
  }
}

const guildOf = (id: string): GuildId => guildId(snowflake(id))
const guildName = (id: GuildId): string => `guild ${id}`
const countName = (id: GuildId): string => `count ${id}`
/** As streams of memberships are named. */
const membershipName = (id: GuildId, account: AccountId): string => `${id}-${account}`

function partsOf({ roles, channels }: Guild): number {
  return channels.reduce((parts, { overwrites }) => parts + 1 + overwrites.length, 1 + roles.length)
}
