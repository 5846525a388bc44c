import type { Channel } from '../../domain/guild/channel.ts'
import type { Guild } from '../../domain/guild/state.ts'
import type { AccountId, RoleId } from '../../domain/ids/ids.ts'
import { memberAtFirst } from '../../domain/membership/membership.ts'
import type { RolledMember } from '../../application/ports/queries/member-queries.ts'
import type { KnownEvent } from '../visibility/known-event.ts'
import type { Room } from '../visibility/room.ts'
import { ChannelList } from './channel-list.ts'
import { sortNameOf, type Entry, type RoleSet } from './entry.ts'
import type { Pauses } from './pauses.ts'
import type { Look, LooksOfGuild } from './look.ts'
import { hoistedRoles, listsTheSame, viewersOf } from './viewers.ts'

/**
 * The members of one guild, as far as lists of them need it, and these lists: one for all channels that the same members see. Each
 * change of a member changes its entry, and its row in each list.
 */
export class Roster implements LooksOfGuild {
  readonly room: Room
  /** Whether it has every member. */
  isFilled = false
  /** Settled once it has every member, or never will. */
  filled: Promise<void> = Promise.resolve()
  readonly looks = new Set<Look>()
  isPlaced = true
  /** Requests that use it besides the looks. */
  holds = 0
  readonly #entries = new Map<AccountId, Entry>()
  readonly #roleSets = new Map<string, RoleSet>()
  readonly #lists = new Map<string, ChannelList>()
  #guild: Guild
  #hoisted: readonly RoleId[]

  constructor(room: Room) {
    this.room = room
    this.#guild = room.guild
    this.#hoisted = hoistedRoles(room.guild)
  }

  get size(): number {
    return this.#entries.size
  }

  get isUsed(): boolean {
    return this.looks.size > 0 || this.holds > 0
  }

  get lists(): Iterable<ChannelList> {
    return this.#lists.values()
  }

  get listCount(): number {
    return this.#lists.size
  }

  has(account: AccountId): boolean {
    return this.#entries.has(account)
  }

  /** The list of a channel. A new one must be built. */
  listOf(channel: Channel): ChannelList {
    const viewers = viewersOf(channel)
    const list = this.#lists.get(viewers.key) ?? new ChannelList(viewers, this.#guild, this.#hoisted)
    this.#lists.set(viewers.key, list)
    return list
  }

  /** Forgets the lists that nobody looks at. */
  dropUnwatched(): void {
    for (const [key, list] of this.#lists) if (!list.isWatched) this.#lists.delete(key)
  }

  /** Adds members as the read models have them. */
  fill(rows: readonly RolledMember[], isOnline: (account: AccountId) => boolean): void {
    for (const { accountId, roles, nick, accountName } of rows) {
      this.leave(accountId)
      this.#add(accountId, roles, { nick, accountName }, isOnline(accountId))
    }
  }

  /** Judges every member for a list, with pauses. Events may change members meanwhile, and begin the list anew. */
  async build(list: ChannelList, pauses: Pauses): Promise<void> {
    const { members } = list
    for (const entry of this.#entries.values()) {
      list.put(entry, undefined)
      if (pauses.isDue()) await pauses.next()
      if (list.members !== members) return
    }
    list.built()
  }

  /** Takes in an event about a member. Gives the account if it is new here, so that its name must be looked up. */
  note(event: KnownEvent, isOnline: (account: AccountId) => boolean): AccountId | undefined {
    switch (event.type) {
      case 'MemberJoined': {
        const { accountId } = event.data
        const { roles, nick } = memberAtFirst(event.data)
        this.leave(accountId)
        this.#add(accountId, roles, { nick, accountName: undefined }, isOnline(accountId))
        return accountId
      }
      case 'MemberLeft':
      case 'MemberKicked':
      case 'MemberBanned':
        this.leave(event.data.accountId)
        return undefined
      case 'MemberRolesChanged': {
        const { accountId, roles } = event.data
        this.change(accountId, { roles: this.#roleSetOf(roles) })
        return undefined
      }
      case 'MemberChanged': {
        const { accountId, textsAfter } = event.data
        this.change(accountId, textsAfter ? { nick: textsAfter.nick } : {})
        return undefined
      }
      // All other events change no member's row.
      default:
        return undefined
    }
  }

  /** Takes in the guild as it is now. Says whether the lists were begun anew. */
  follow(guild: Guild): boolean {
    const was = this.#guild
    this.#guild = guild
    if (was.channels !== guild.channels) this.isPlaced = false
    if (was === guild) return false
    if (listsTheSame(was, guild)) {
      for (const list of this.#lists.values()) list.judgeBy(guild)
      return false
    }
    this.#hoisted = hoistedRoles(guild)
    for (const set of this.#roleSets.values()) set.hoisted = this.#hoistedIn(set.roles)
    for (const list of this.#lists.values()) list.restart(guild, this.#hoisted)
    return true
  }

  /** Changes a member. Without changes to its row, what is shown there has changed. */
  change(account: AccountId, changes: Partial<Pick<Entry, 'nick' | 'accountName' | 'roles' | 'isOnline'>>): void {
    const entry = this.#entries.get(account)
    if (!entry) return
    const lists = [...this.#lists.values()]
    const spots = lists.map((list) => list.take(entry))
    Object.assign(entry, changes)
    entry.sortName = sortNameOf(entry)
    for (const [index, list] of lists.entries()) list.put(entry, spots[index])
  }

  leave(account: AccountId): void {
    const entry = this.#entries.get(account)
    if (!entry) return
    this.#entries.delete(account)
    for (const list of this.#lists.values()) {
      const spot = list.take(entry)
      if (spot) list.members.leave(spot)
    }
  }

  #add(
    accountId: AccountId,
    roles: readonly RoleId[],
    names: Pick<Entry, 'nick' | 'accountName'>,
    isOnline: boolean,
  ): void {
    const entry: Entry = { accountId, ...names, sortName: sortNameOf(names), roles: this.#roleSetOf(roles), isOnline }
    this.#entries.set(accountId, entry)
    for (const list of this.#lists.values()) list.put(entry, undefined)
  }

  #roleSetOf(roles: readonly RoleId[]): RoleSet {
    const key = roles.join(' ')
    const known = this.#roleSets.get(key) ?? { roles, hoisted: this.#hoistedIn(roles) }
    this.#roleSets.set(key, known)
    return known
  }

  #hoistedIn(roles: readonly RoleId[]): RoleId | undefined {
    if (roles.length === 0) return undefined
    return this.#hoisted.find((id) => roles.includes(id))
  }
}
