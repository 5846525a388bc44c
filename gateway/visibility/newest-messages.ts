import { LRUCache } from 'lru-cache'
import type { ChannelId, MessageId } from '../../domain/ids/ids.ts'
import { compareSnowflakes } from '../../domain/ids/snowflake.ts'
import { has } from '../../domain/guild/channel.ts'
import type { Guild } from '../../domain/guild/state.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'

export interface NewestMessagesSettings {
  /** The newest message of each channel that has messages. */
  readonly lookUp: (channels: readonly ChannelId[]) => Promise<ReadonlyMap<ChannelId, MessageId>>
  readonly channels_max: number
}

/** The newest message of each channel that sessions see, kept up to date by notices. */
export class NewestMessages {
  readonly #settings: NewestMessagesSettings
  readonly #known: LRUCache<ChannelId, MessageId | 'none'>
  /** The messages deleted during each lookup in progress. */
  readonly #goneMeanwhile = new Set<Set<string>>()

  constructor(settings: NewestMessagesSettings) {
    this.#settings = settings
    this.#known = new LRUCache(growsTo(settings.channels_max))
  }

  /** Undefined for a channel without messages, and for one that was not learned. */
  get(channel: ChannelId): MessageId | undefined {
    const known = this.#known.get(channel)
    return known === 'none' ? undefined : known
  }

  /** Looks up unknown channels. Notices that arrive meanwhile take precedence. Rejects as the lookup does. */
  async learn(channels: readonly ChannelId[]): Promise<void> {
    const unknown = channels.filter((channel) => !this.#known.has(channel))
    if (unknown.length === 0) return
    const { found, gone } = await this.#lookUp(unknown)
    const isGone = (channel: ChannelId): boolean => gone.has(found.get(channel) ?? '')
    for (const channel of unknown.filter((each) => !isGone(each))) {
      const newest = found.get(channel)
      if (newest !== undefined) this.note(channel, newest)
      else if (!this.#known.has(channel)) this.#known.set(channel, 'none')
    }
    await this.learn(unknown.filter(isGone))
  }

  /** The result, and the messages deleted during the lookup. */
  async #lookUp(channels: readonly ChannelId[]) {
    const gone = new Set<string>()
    this.#goneMeanwhile.add(gone)
    try {
      return { found: await this.#settings.lookUp(channels), gone }
    } finally {
      this.#goneMeanwhile.delete(gone)
    }
  }

  note(channel: ChannelId, message: MessageId): void {
    const known = this.get(channel)
    if (known === undefined || compareSnowflakes(known, message) < 0) this.#known.set(channel, message)
  }

  /** Notes that messages were deleted; if the newest one was, the next must be looked up. */
  forget(channel: ChannelId, messages: readonly MessageId[]): void {
    for (const gone of this.#goneMeanwhile) for (const message of messages) gone.add(message)
    const known = this.get(channel)
    if (known !== undefined && messages.includes(known)) this.#known.delete(channel)
  }
}

/** The channels of a guild that messages stand in. */
export function messageChannels(guild: Pick<Guild, 'channels'> | undefined): readonly ChannelId[] {
  return (guild?.channels ?? []).filter(({ type }) => has(type, 'messages')).map(({ id }) => id)
}
