import { LRUCache } from 'lru-cache'
import type { Guild } from '../../domain/guild/state.ts'
import { guildId, type AccountId, type ChannelId, type GuildId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'
import { categoryOf, idOf } from '../../domain/streams.ts'
import type { Membership } from '../../domain/membership/state.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { GuildWithMember } from '../ports/queries/guild-queries.ts'
import type { Heard } from './heard-events.ts'
import { readings, type Reading } from './readings.ts'

/** All cached guilds together have at most this many roles, channels and overwrites, each some hundred bytes. */
export const guildParts_max = 400_000
export const cachedMemberships_max = 100_000
export const cachedChannels_max = 200_000
/** How many guilds' counts of members, and how many accounts' counts of guilds. */
export const cachedCounts_max = 50_000

/** A membership together with the guild it was read with: its roles are those of exactly that state of the guild. */
export interface MembershipOf {
  readonly member: Membership
  readonly guild: Guild
}

/**
 * Caches guilds, memberships and member counts until an event changes them. All entries are as of the position published last, so
 * they are consistent with each other.
 */
export class GuildCache {
  readonly #published: () => Position | undefined
  readonly #guilds = new LRUCache<GuildId, Guild>({ maxSize: guildParts_max, sizeCalculation: partsOf })
  readonly #guildsOfChannels = new LRUCache<ChannelId, GuildId>(growsTo(cachedChannels_max))
  readonly #counts = new LRUCache<GuildId, number>(growsTo(cachedCounts_max))
  readonly #guildCounts = new LRUCache<string, number>(growsTo(cachedCounts_max))
  readonly #memberships = new LRUCache<string, MembershipOf>(growsTo(cachedMemberships_max))
  readonly #readings = readings()

  /**
   * `published` gives the position up to which `forget` has received every event; undefined while nothing is cached. It only
   * grows.
   */
  constructor(published: () => Position | undefined) {
    this.#published = published
  }

  guild(id: GuildId): Guild | undefined {
    return this.#isCurrent() ? this.#guilds.get(id) : undefined
  }

  count(id: GuildId): number | undefined {
    return this.#isCurrent() ? this.#counts.get(id) : undefined
  }

  /** How many guilds an account is in. */
  guildCount(account: AccountId): number | undefined {
    return this.#isCurrent() ? this.#guildCounts.get(account) : undefined
  }

  /** A guild and a membership in it, if both are cached. */
  membership(id: GuildId, account: AccountId): MembershipOf | undefined {
    const membership = this.#isCurrent() ? this.#memberships.get(membershipName(id, account)) : undefined
    return membership && this.#guilds.get(id) === membership.guild ? membership : undefined
  }

  /** The guild that the channel was in when it was cached; the channel may be gone since. */
  guildOf(channel: ChannelId): GuildId | undefined {
    return this.#guildsOfChannels.get(channel)
  }

  /**
   * Calls `keep` if the read's position was published while the read ran: only then is the result consistent with the rest of the
   * cache.
   */
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
    // A cached guild equals the one just read.
    const kept = this.#guilds.get(id) ?? guild
    if (kept === guild) {
      this.#guilds.set(id, guild)
      for (const channel of guild.channels) this.#guildsOfChannels.set(channel.id, id)
    }
    this.keepCount(id, memberCount, reading)
    if (member) this.keepMembership({ guild: kept, member }, account, reading)
  }

  keepCount(id: GuildId, count: number, { isFresh }: Reading): void {
    if (isFresh(countName(id))) this.#counts.set(id, count)
  }

  keepGuildCount(account: AccountId, count: number, { isFresh }: Reading): void {
    if (isFresh(guildCountName(account)) && isFresh(guildCounts)) this.#guildCounts.set(account, count)
  }

  keepMembership(membership: MembershipOf, account: AccountId, reading: Reading): void {
    if (this.fits(membership.guild, account, reading))
      this.#memberships.set(membershipName(membership.guild.id, account), membership)
  }

  /** Whether the membership that was just read belongs to the cached guild. */
  fits(guild: Guild, account: AccountId, { isFresh }: Reading): boolean {
    const isKept = this.#guilds.get(guild.id) === guild && isFresh(guildName(guild.id))
    return isKept && isFresh(membershipName(guild.id, account))
  }

  forget({ stream, type }: Heard): void {
    const category = categoryOf(stream)
    if (category === 'guild') this.#forgetGuild(guildOf(idOf(stream)), type)
    else if (category === 'membership') this.#forgetMembership(idOf(stream))
    // Erasing an account also removes its names in all its guilds.
    else if (type === 'AccountErasureStarted') this.forgetAll()
  }

  forgetAll(): void {
    this.#readings.forgetAll()
    for (const cache of [this.#guilds, this.#guildsOfChannels, this.#counts, this.#guildCounts, this.#memberships])
      cache.clear()
  }

  #isCurrent(): boolean {
    return this.#published() !== undefined
  }

  /** Memberships read with this guild no longer count: `membership` compares their guild with the cached one. */
  #forgetGuild(id: GuildId, type: string): void {
    this.#readings.forget(guildName(id))
    this.#readings.forget(countName(id))
    this.#guilds.delete(id)
    this.#counts.delete(id)
    // Its members are in one guild less.
    if (type !== 'GuildDeleted') return
    this.#readings.forget(guildCounts)
    this.#guildCounts.clear()
  }

  #forgetMembership(name: string): void {
    const [guild = '', account = ''] = name.split('-')
    const id = guildOf(guild)
    this.#readings.forget(name)
    this.#readings.forget(guildCountName(account))
    this.#guildCounts.delete(account)
    this.#readings.forget(countName(id))
    this.#memberships.delete(name)
    this.#counts.delete(id)
  }
}

const guildOf = (id: string): GuildId => guildId(snowflake(id))
const guildName = (id: GuildId): string => `guild ${id}`
const countName = (id: GuildId): string => `count ${id}`
const guildCountName = (account: string): string => `guilds of ${account}`
const guildCounts = 'counts of guilds'
/** The same form as the names of membership streams. */
const membershipName = (id: GuildId, account: AccountId): string => `${id}-${account}`

/** The size of a guild in a cache that `guildParts_max` bounds. */
export function partsOf({ roles, channels }: Guild): number {
  return channels.reduce((parts, { overwrites }) => parts + 1 + overwrites.length, 1 + roles.length)
}
