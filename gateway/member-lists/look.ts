import type { Channel } from '../../domain/guild/channel.ts'
import type { ChannelId } from '../../domain/ids/ids.ts'
import type { Link } from '../visibility/room.ts'
import type { ChannelList } from './channel-list.ts'
import type { Span } from './member-list.ts'
import type { Looking, Watch } from './watch.ts'

/** The looks at lists of one guild. */
export interface LooksOfGuild {
  readonly looks: Set<Look>
  /** Whether the looks have the lists of their channels as these are now. */
  isPlaced: boolean
}

/** What a session looks at in a guild: rows of the list of one channel. */
export class Look implements Looking {
  readonly link: Link
  readonly channelId: ChannelId
  readonly #guild: LooksOfGuild
  #spans: readonly Span[]
  #list: ChannelList | undefined
  #channel: Channel | undefined
  /** The rows it looks at, and the version of each that it was sent; undefined for those that it must be sent anyhow. */
  readonly #told = new Map<Watch, string | undefined>()
  /** The number of the last dispatch to it. */
  #sentAt = 0

  constructor(link: Link, channelId: ChannelId, spans: readonly Span[], guild: LooksOfGuild) {
    this.link = link
    this.channelId = channelId
    this.#spans = spans
    this.#guild = guild
    guild.looks.add(this)
    guild.isPlaced = false
  }

  get list(): ChannelList | undefined {
    return this.#list
  }

  get channel(): Channel | undefined {
    return this.#channel
  }

  /** Chooses the list of its channel as it is now. */
  place(channel: Channel | undefined, list: ChannelList | undefined): void {
    this.#channel = channel
    if (list === this.#list) return
    for (const watch of this.#told.keys()) this.#list?.unwatch(watch, this)
    this.#told.clear()
    this.#list = list
    if (list) for (const span of this.#spans) this.#told.set(list.watch(span, this), undefined)
  }

  /** Looks at other rows of the same channel. All of them are sent. */
  turnTo(spans: readonly Span[]): void {
    const [list, channel] = [this.#list, this.#channel]
    this.place(undefined, undefined)
    this.#spans = spans
    this.place(channel, list)
  }

  isNew(watch: Watch): boolean {
    return this.#told.get(watch) !== watch.version
  }

  sent(watch: Watch): void {
    this.#told.set(watch, watch.version)
    this.#sentAt = this.link.session.sequence
  }

  lose(watch: Watch): void {
    this.#told.set(watch, undefined)
  }

  /** All that it looks at is read again: what it may hear of may have changed. */
  readAgain(): void {
    for (const watch of this.#told.keys()) this.#list?.due.add(watch)
  }

  /** Its client is back, and has what was sent up to a number. Lists are never replayed: what it missed is sent again. */
  resumedAt(seq: number): void {
    if (this.#sentAt > seq) for (const watch of this.#told.keys()) this.#told.set(watch, undefined)
    this.readAgain()
  }

  end(): void {
    this.place(undefined, undefined)
    this.#guild.looks.delete(this)
  }
}
