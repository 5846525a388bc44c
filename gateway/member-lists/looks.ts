import type { AccountId, ChannelId, GuildId } from '../../domain/ids/ids.ts'
import type { GatewayLimits } from '../limits.ts'
import { dispatchFrame } from '../protocol/frame.ts'
import { opcodes } from '../protocol/opcodes.ts'
import type { Session } from '../sessions/session.ts'
import type { Ticker } from '../ticker.ts'
import type { Link } from '../visibility/room.ts'
import type { World } from '../visibility/world.ts'
import { Look } from './look.ts'
import type { Span } from './member-list.ts'
import { idle_ms, type Rosters } from './rosters.ts'
import { channelIn, hasLists, mayLook } from './sight.ts'

/** What a session wants to look at, by channel. Without rows it looks no more. */
export type Wanted = ReadonlyMap<ChannelId, readonly Span[]>

export interface LooksSettings {
  readonly world: Pick<World, 'link' | 'guildIdsOf' | 'sessionsOf'>
  readonly ticker: Pick<Ticker, 'after'>
  readonly limits: Pick<GatewayLimits, 'memberListsPerSession_max'>
  readonly rosters: Pick<Rosters, 'open'>
  /** Called when looks came. */
  readonly onLook: () => void
}

interface Held {
  readonly look: Look
  readonly leave: () => void
}

/** Which session looks at which list: at one in each guild (rules/gateway#member-lists). */
export class Looks {
  readonly #settings: LooksSettings
  readonly #looks = new Map<Link, Held>()
  readonly #counts = new Map<Session, number>()
  /** Sessions that asked within this tick, and what they asked since. */
  readonly #windows = new Map<Link, Map<ChannelId, readonly Span[]>>()
  #refused = 0

  constructor(settings: LooksSettings) {
    this.#settings = settings
  }

  /** How many were refused since the start. */
  get refused(): number {
    return this.#refused
  }

  /** Takes a request: at once if it is the first within a tick, else at the next one, together with those that follow. */
  ask(link: Link, wanted: Wanted): void {
    const window = this.#windows.get(link)
    if (window) {
      for (const [channel, spans] of wanted) {
        window.delete(channel)
        window.set(channel, spans)
      }
      return
    }
    this.#windows.set(link, new Map())
    this.#settings.ticker.after(0, () => {
      const later = this.#windows.get(link)
      this.#windows.delete(link)
      const isThere = this.#settings.world.link(link.session, link.room.id) === link
      if (later && later.size > 0 && isThere) this.ask(link, later)
    })
    for (const [channel, spans] of wanted) this.#take(link, channel, spans)
    this.#settings.onLook()
  }

  /** The session looks at no list of the guild any more. */
  end(link: Link): void {
    const held = this.#looks.get(link)
    if (!held) return
    held.look.end()
    link.ended?.delete(held.leave)
    this.#looks.delete(link)
    const others = this.#countOf(link.session) - 1
    if (others > 0) this.#counts.set(link.session, others)
    else this.#counts.delete(link.session)
  }

  /** The rights of an account changed in a guild: it may hear of other rows. */
  rightsChanged(guild: GuildId, account: AccountId): void {
    const { world } = this.#settings
    for (const session of world.sessionsOf(account)) this.#in(session, guild)?.readAgain()
  }

  /** A client is back that has what was sent up to a number. */
  resumedAt(session: Session, seq: number): void {
    if (!this.#counts.has(session)) return
    for (const guild of this.#settings.world.guildIdsOf(session)) this.#in(session, guild)?.resumedAt(seq)
    this.#settings.onLook()
  }

  /** Notes a refusal, and tells the client that it may ask again later. */
  refuse({ session, room }: Link): void {
    this.#refused += 1
    const told = { opcode: opcodes.lazyRequest, retry_after: (2 * idle_ms) / 1000, meta: { guild_id: room.id } }
    session.dispatch('RATE_LIMITED', dispatchFrame('RATE_LIMITED', told))
  }

  #in(session: Session, guild: GuildId): Look | undefined {
    const link = this.#settings.world.link(session, guild)
    return link && this.#looks.get(link)?.look
  }

  #countOf(session: Session): number {
    return this.#counts.get(session) ?? 0
  }

  #take(link: Link, channelId: ChannelId, spans: readonly Span[]): void {
    const current = this.#looks.get(link)?.look
    if (spans.length === 0) {
      if (current?.channelId === channelId) this.end(link)
      return
    }
    const channel = channelIn(link.room, channelId)
    if (!channel || !hasLists(link.room) || !mayLook(link, channel)) return
    if (current?.channelId === channelId) current.turnTo(spans)
    else this.#begin(link, channelId, spans)
  }

  #begin(link: Link, channelId: ChannelId, spans: readonly Span[]): void {
    const { limits, rosters } = this.#settings
    const elsewhere = this.#countOf(link.session) - (this.#looks.has(link) ? 1 : 0)
    const roster = elsewhere < limits.memberListsPerSession_max ? rosters.open(link.room) : undefined
    if (!roster) {
      this.refuse(link)
      return
    }
    this.end(link)
    const leave = (): void => {
      this.end(link)
    }
    this.#looks.set(link, { look: new Look(link, channelId, spans, roster), leave })
    this.#counts.set(link.session, elsewhere + 1)
    link.ended ??= new Set()
    link.ended.add(leave)
  }
}
