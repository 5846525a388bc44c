import type { AccountId, ChannelId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { working } from '../../application/observation/at-work.ts'
import type { EventLoop } from '../events/event-loop.ts'
import type { RecentEvents } from '../events/recent-events.ts'
import type { GatewayLimits } from '../limits.ts'
import type { GatewayLog } from '../log.ts'
import type { Session } from '../sessions/session.ts'
import { tick_ms, type Ticker } from '../ticker.ts'
import type { KnownEvent } from '../visibility/known-event.ts'
import type { Lookups } from '../visibility/lookups.ts'
import type { Link, Room } from '../visibility/room.ts'
import type { SeenPresences } from '../visibility/seen-presences.ts'
import type { World } from '../visibility/world.ts'
import type { ChannelList } from './channel-list.ts'
import { ItemTexts } from './item-texts.ts'
import { Looks, type Wanted } from './looks.ts'
import { pauses } from './pauses.ts'
import type { Roster } from './roster.ts'
import { idle_ms, Rosters } from './rosters.ts'
import { Sender } from './sender.ts'
import { channelIn } from './sight.ts'

export interface MemberListsSettings {
  readonly world: World
  readonly recent: RecentEvents
  readonly lookups: Lookups
  readonly presences: SeenPresences
  readonly loop: Pick<EventLoop, 'run'>
  readonly ticker: Ticker
  readonly limits: GatewayLimits
  readonly log: GatewayLog
  readonly now: () => Timestamp
  /** Called with the number of sessions that got each dispatch. */
  readonly onDispatched: (sessions: number) => void
}

export interface ChannelCounts {
  readonly memberCount: number
  readonly onlineCount: number
}

/** How long one pass sends before events have their turn, and how many passes follow each other. */
const pass_ms_max = 15
const passes_max = 100
/** The members of this many rows are looked up at once. */
const lookedUp_max = 1000

/**
 * The lists of members that sessions look at (rules/gateway#member-lists): one for all channels of a guild that the same members
 * see, held while somebody looks at it, for all sessions here. What changed in them is sent at most once in a period, within a
 * bound of bytes for the process.
 */
export class MemberLists {
  readonly #settings: MemberListsSettings
  readonly #rosters: Rosters
  readonly #looks: Looks
  readonly #texts: ItemTexts
  #allowance_bytes: number
  #passes = 0
  #isRunning = false
  #isAwake = false
  #isIdleLookedFor = false

  constructor(settings: MemberListsSettings) {
    const { limits, presences } = settings
    this.#settings = settings
    this.#allowance_bytes = limits.memberListBytesPerSecond
    this.#texts = new ItemTexts({ ...settings, texts_max: limits.memberListRows_max })
    this.#rosters = new Rosters({
      ...settings,
      isOnline: (account) => presences.isOnline(account),
      onChange: () => {
        this.#wake()
      },
      onShown: (guild, account) => {
        this.#texts.forget(guild, account)
      },
      onDropped: ({ looks }) => {
        for (const { link } of looks) this.end(link)
      },
    })
    const onLook = (): void => {
      this.#lookForIdle()
      void this.#round()
    }
    this.#looks = new Looks({ ...settings, rosters: this.#rosters, onLook })
  }

  /** Of this process: the lists, the members in their rosters, and what was refused since the start. */
  get stats() {
    return {
      memberLists: this.#rosters.all.reduce((sum, { listCount }) => sum + listCount, 0),
      listedMembers: this.#rosters.memberCount,
      refusedMemberLists: this.#looks.refused,
    }
  }

  /** Sessions of an account came, went or changed, here or elsewhere. */
  accountChanged(account: AccountId): void {
    this.#rosters.accountChanged(account)
  }

  /** Takes in an event that was told: nothing happens between the two. */
  note(event: KnownEvent): void {
    if (event.type === 'RoleDeleted') this.#texts.clear()
    this.#rosters.note(event)
    if (event.type === 'MemberRolesChanged') this.#looks.rightsChanged(event.data.guildId, event.data.accountId)
  }

  look(link: Link, wanted: Wanted): void {
    this.#looks.ask(link, wanted)
  }

  /** The session looks at no list of the guild any more. */
  end(link: Link): void {
    this.#looks.end(link)
  }

  /** A client is back that has what was sent up to a number. */
  resumedAt(session: Session, seq: number): void {
    this.#looks.resumedAt(session, seq)
  }

  /** How many members see some channels of a session's guild: of those that exist. Undefined, and refused, if there are too many. */
  async countsOf(link: Link, ids: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, ChannelCounts> | undefined> {
    const roster = this.#rosters.open(link.room)
    if (!roster) {
      this.#looks.refuse(link)
      return undefined
    }
    this.#lookForIdle()
    roster.holds += 1
    try {
      await roster.filled
      await this.#rosters.takeNames()
      const counts = new Map<ChannelId, ChannelCounts>()
      for (const id of ids) {
        const list = await this.#builtListOf(roster, id)
        const members = list?.members
        if (members) counts.set(id, { memberCount: members.memberCount, onlineCount: members.onlineCount })
      }
      return counts
    } finally {
      roster.holds -= 1
    }
  }

  async #builtListOf(roster: Roster, id: ChannelId): Promise<ChannelList | undefined> {
    while (this.#rosters.isHeld(roster)) {
      const channel = channelIn(roster.room, id)
      const list = channel && roster.listOf(channel)
      if (!list || list.isBuilt) return list
      await this.#rosters.build(roster, list)
    }
    return undefined
  }

  #wake(): void {
    if (this.#isAwake) return
    this.#isAwake = true
    this.#settings.ticker.after(0, () => {
      this.#isAwake = false
      const { memberListBytesPerSecond: rate } = this.#settings.limits
      this.#allowance_bytes = Math.min(rate, this.#allowance_bytes + (rate * tick_ms) / 1000)
      void this.#round()
    })
  }

  #lookForIdle(): void {
    if (this.#isIdleLookedFor) return
    this.#isIdleLookedFor = true
    this.#settings.ticker.after(idle_ms, () => {
      this.#isIdleLookedFor = false
      this.#rosters.dropIdle()
      if (this.#rosters.all.length > 0) this.#lookForIdle()
    })
  }

  /** Takes in what changed, and sends what is due. What is left waits for the next tick. */
  async #round(): Promise<void> {
    if (this.#isRunning) {
      this.#wake()
      return
    }
    this.#isRunning = true
    try {
      await this.#rosters.takeNames()
      await this.#rosters.takePresences()
      if (await this.#sendAll()) this.#wake()
    } catch (error) {
      this.#settings.log.error({ error }, 'lists of members could not be sent yet; they are tried again')
      this.#wake()
    } finally {
      this.#isRunning = false
    }
  }

  /** Says whether something is left. */
  async #sendAll(): Promise<boolean> {
    const rest = pauses()
    for (let passes = 0; passes < passes_max; passes += 1) {
      const pass = await this.#settings.loop.run(() =>
        Promise.resolve(working('gateway member lists', () => this.#pass())),
      )
      for (const [room, accounts] of pass.missing) {
        const gone = await this.#texts.lookUp(room, [...accounts].slice(0, lookedUp_max))
        this.#rosters.leave(room.id, gone)
      }
      if (pass.missing.size === 0 && !pass.isCutShort) return pass.isMore
      await rest.next()
    }
    return true
  }

  /** Runs between two batches of events, so that lists, rights and views are as clients were told. */
  #pass(): Pass {
    const { ticker, limits } = this.#settings
    const began_ms = performance.now()
    const sender = new Sender({ ...this.#settings, texts: this.#texts }, this.#allowance_bytes)
    const missing = new Map<Room, Set<AccountId>>()
    let [isMore, isCutShort] = [false, false]
    for (const roster of this.#rostersInTurn()) {
      if (!roster.isFilled) continue
      this.#place(roster)
      for (const list of roster.lists) {
        if (list.takeChanges(ticker.now_ms, limits.memberListPeriod_ms)) isMore = true
        for (const watch of list.isBuilt ? list.due : []) {
          isCutShort ||= performance.now() - began_ms > pass_ms_max
          if (isCutShort || sender.bytes_left <= 0) break
          const outcome = sender.send(roster.room.id, list, watch)
          if (outcome === 'done') list.due.delete(watch)
          else if (outcome === 'later') isMore = true
          else addTo(missing, roster.room, outcome.missing)
        }
      }
    }
    this.#allowance_bytes = sender.bytes_left
    return { missing, isMore: isMore || sender.bytes_left <= 0, isCutShort }
  }

  /** Each pass begins with another one, in case there is not enough for all. */
  #rostersInTurn(): readonly Roster[] {
    const { all } = this.#rosters
    this.#passes += 1
    const first = this.#passes % Math.max(1, all.length)
    return [...all.slice(first), ...all.slice(0, first)]
  }

  /** Chooses the lists of looks, after channels changed or looks came. */
  #place(roster: Roster): void {
    if (roster.isPlaced) return
    roster.isPlaced = true
    const channels = new Map(roster.room.guild.channels.map((channel) => [channel.id, channel]))
    for (const look of roster.looks) {
      const channel = channels.get(look.channelId)
      if (!channel) {
        this.end(look.link)
        continue
      }
      const list = roster.listOf(channel)
      look.place(channel, list)
      if (!list.isBuilt && !list.isBuilding) void this.#rosters.build(roster, list)
    }
  }
}

interface Pass {
  /** Members whose rows must be looked up, by guild. */
  readonly missing: ReadonlyMap<Room, ReadonlySet<AccountId>>
  /** Whether something waits for another tick. */
  readonly isMore: boolean
  /** Whether it ended because it took too long. */
  readonly isCutShort: boolean
}

function addTo(missing: Map<Room, Set<AccountId>>, room: Room, accounts: readonly AccountId[]): void {
  const noted = missing.get(room) ?? new Set()
  missing.set(room, noted)
  for (const account of accounts) noted.add(account)
}
