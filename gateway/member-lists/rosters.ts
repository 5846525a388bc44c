import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import { changesUser } from '../../application/wire-objects/identity/user-changes.ts'
import type { RecentEvents } from '../events/recent-events.ts'
import type { GatewayLimits } from '../limits.ts'
import type { GatewayLog } from '../log.ts'
import type { Ticker } from '../ticker.ts'
import { accountsOf, guildOf, isOfAccount, isOfGuild, type KnownEvent } from '../visibility/known-event.ts'
import type { Lookups } from '../visibility/lookups.ts'
import type { Room } from '../visibility/room.ts'
import type { World } from '../visibility/world.ts'
import type { ChannelList } from './channel-list.ts'
import { nameOf } from './entry.ts'
import { pauses } from './pauses.ts'
import { Roster } from './roster.ts'

export interface RostersSettings {
  readonly world: Pick<World, 'room'>
  readonly recent: RecentEvents
  readonly lookups: Lookups
  readonly ticker: Pick<Ticker, 'wait'>
  readonly log: GatewayLog
  readonly limits: Pick<GatewayLimits, 'rosterMembers_max'>
  /** Whether others see an account online, by its sessions at all Gateways. */
  readonly isOnline: (account: AccountId) => boolean
  /** Called when a roster has changed, or a list of it is built. */
  readonly onChange: () => void
  /** What is shown of a member may have changed. */
  readonly onShown: (guild: GuildId, account: AccountId) => void
  /** The guild of a roster is gone. */
  readonly onDropped: (roster: Roster) => void
}

/** How often rosters that nobody uses are looked for. One is dropped when it is found so twice in a row. */
export const idle_ms = 15_000
/** When members are looked up again that could not be. */
const retry_ms = 5000
/** The read models give this many members at once. */
const page_size = 1000
/** The names of this many accounts are looked up at once. */
const names_max = 1000

/**
 * The rosters of guilds whose lists somebody looks at. A roster is filled from the read models in pages, and takes in every event
 * from before its first page on. One is filled after another, and one list is built after another.
 */
export class Rosters {
  readonly #settings: RostersSettings
  readonly #rosters = new Map<GuildId, Roster>()
  /** Accounts whose sessions changed, and those whose names must be looked up. */
  readonly #changed = new Set<AccountId>()
  readonly #unnamed = new Set<AccountId>()
  /** Of no use when it was last looked. */
  #idle = new Set<Roster>()
  #fills: Promise<void> = Promise.resolve()
  #builds: Promise<void> = Promise.resolve()

  constructor(settings: RostersSettings) {
    this.#settings = settings
  }

  get all(): readonly Roster[] {
    return [...this.#rosters.values()]
  }

  get memberCount(): number {
    return this.all.reduce((sum, roster) => sum + (roster.isFilled ? roster.size : roster.room.memberCount), 0)
  }

  /** The roster of a guild; a new one is filled from here on. Undefined if there are too many members in rosters. */
  open(room: Room): Roster | undefined {
    const known = this.#rosters.get(room.id)
    if (known?.room === room) return known
    if (this.memberCount + room.memberCount > this.#settings.limits.rosterMembers_max) return undefined
    const roster = new Roster(room)
    this.#rosters.set(room.id, roster)
    roster.filled = this.#fills.then(() => this.#fill(roster))
    this.#fills = roster.filled
    return roster
  }

  isHeld(roster: Roster): boolean {
    return this.#rosters.get(roster.room.id) === roster
  }

  /** Drops what has been of no use since the last call. */
  dropIdle(): void {
    const idle = new Set<Roster>()
    for (const roster of this.#rosters.values()) {
      roster.dropUnwatched()
      if (!roster.isUsed && this.#idle.has(roster)) this.#drop(roster)
      else if (!roster.isUsed) idle.add(roster)
    }
    this.#idle = idle
  }

  /** Builds a list, after those that wait already. */
  build(roster: Roster, list: ChannelList): Promise<void> {
    list.isBuilding = true
    this.#builds = this.#builds.then(async () => {
      while (!list.isBuilt && this.isHeld(roster)) await roster.build(list, pauses())
      list.isBuilding = false
      this.#settings.onChange()
    })
    return this.#builds
  }

  /** Some accounts turned out to be no members of a guild: the event that says so comes. */
  leave(guild: GuildId, accounts: readonly AccountId[]): void {
    for (const account of accounts) this.#rosters.get(guild)?.leave(account)
  }

  /** Sessions of an account came, went or changed, here or elsewhere. */
  accountChanged(account: AccountId): void {
    if (this.#rosters.size === 0) return
    this.#changed.add(account)
    this.#settings.onChange()
  }

  /** Takes in an event that was told: nothing happens between the two. */
  note(event: KnownEvent): void {
    if (this.#rosters.size === 0) return
    const guild = guildOf(event)
    const roster = guild && this.#rosters.get(guild)
    if (roster) this.#noteIn(roster, event)
    this.#noteAccount(event)
  }

  /** Takes in which accounts are online now, with pauses. */
  async takePresences(): Promise<void> {
    const [changed, rest] = [[...this.#changed], pauses()]
    this.#changed.clear()
    for (const account of changed) {
      const isOnline = this.#settings.isOnline(account)
      for (const roster of this.#rosters.values()) {
        if (!roster.has(account)) continue
        this.#settings.onShown(roster.room.id, account)
        roster.change(account, { isOnline })
      }
      if (rest.isDue()) await rest.next()
    }
  }

  /** Looks up the names that are not known, or have changed. Says whether there was one. Rejects with `LookupFailed`. */
  async takeNames(): Promise<boolean> {
    const accounts = [...this.#unnamed].filter((account) => this.all.some((roster) => roster.has(account)))
    const asked = accounts.slice(0, names_max)
    this.#unnamed.clear()
    for (const account of accounts.slice(names_max)) this.#unnamed.add(account)
    if (asked.length === 0) return false
    try {
      for (const [account, record] of await this.#settings.lookups.accountsOf(asked))
        if (!this.#unnamed.has(account)) this.#name(account, nameOf(record))
    } catch (error) {
      for (const account of asked) this.#unnamed.add(account)
      throw error
    }
    return true
  }

  #noteAccount(event: KnownEvent): void {
    if (!isOfAccount(event) || !(changesUser(event.type) || alsoShown.has(event.type))) return
    for (const account of accountsOf(event)) {
      if (event.type !== 'UserSettingsChanged') this.#unnamed.add(account)
      this.accountChanged(account)
    }
  }

  #name(account: AccountId, accountName: string): void {
    for (const roster of this.#rosters.values()) roster.change(account, { accountName })
  }

  #noteIn(roster: Roster, event: KnownEvent): void {
    const { world, isOnline, onShown, onChange } = this.#settings
    const { room } = roster
    if (world.room(room.id) !== room) {
      this.#drop(roster)
      return
    }
    for (const account of accountsOf(event)) onShown(room.id, account)
    const unnamed = roster.note(event, isOnline)
    if (unnamed !== undefined) this.#unnamed.add(unnamed)
    if (roster.follow(room.guild)) for (const list of roster.lists) if (!list.isBuilding) void this.build(roster, list)
    // Who may hear of a list may be others now.
    if (isOfGuild(event)) for (const list of roster.lists) list.readAgain()
    onChange()
  }

  /** Adds all members, page by page. What the read models do not answer now is asked again, as long as somebody waits for it. */
  async #fill(roster: Roster): Promise<void> {
    const { log, ticker, onChange } = this.#settings
    let after: AccountId | undefined
    while (this.isHeld(roster) && !roster.isFilled) {
      try {
        after = await this.#addPage(roster, after)
      } catch (error) {
        log.error({ error, guild: roster.room.id }, 'the members of a guild could not be looked up yet; its lists wait')
        await ticker.wait(retry_ms)
      }
    }
    onChange()
  }

  /** Adds the page after a member, and gives its last one. An event that the read models did not have yet is taken in again. */
  async #addPage(roster: Roster, after: AccountId | undefined): Promise<AccountId | undefined> {
    const { recent, lookups, isOnline } = this.#settings
    const guild = roster.room.id
    const since = recent.handled
    const page = { limit: page_size, ...(after === undefined ? {} : { after }) }
    const rows = await lookups.ask(({ members }) => members.roll(guild, page))
    const missed = recent.after(since)
    if (!missed || !this.isHeld(roster)) return after
    roster.fill(rows, isOnline)
    for (const event of missed) {
      if (guildOf(event) === guild && this.isHeld(roster)) this.#noteIn(roster, event)
      this.#noteAccount(event)
    }
    roster.isFilled = rows.length < page_size
    return rows.at(-1)?.accountId ?? after
  }

  #drop(roster: Roster): void {
    if (!this.isHeld(roster)) return
    this.#rosters.delete(roster.room.id)
    this.#settings.onDropped(roster)
  }
}

/** What changes how members are shown, besides what changes accounts for themselves. */
const alsoShown: ReadonlySet<string> = new Set(['UserSettingsChanged', 'AccountErasureStarted', 'AccountErased'])
