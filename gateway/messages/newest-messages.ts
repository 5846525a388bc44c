import { LRUCache } from 'lru-cache'
import type { ChannelId, MessageId } from '../../domain/ids/ids.js'
import { compareSnowflakes } from '../../domain/ids/snowflake.js'

export interface NewestMessagesSettings {
  /** The newest message of each channel that has any. */
  readonly lookUp: (channels: readonly ChannelId[]) => Promise<ReadonlyMap<ChannelId, MessageId>>
  readonly channels_max: number
}

/** The newest message of each channel that sessions are shown, kept up by what is told of messages. */
export class NewestMessages {
  readonly #settings: NewestMessagesSettings
  readonly #known: LRUCache<ChannelId, MessageId | 'none'>

  constructor(settings: NewestMessagesSettings) {
    this.#settings = settings
    this.#known = new LRUCache({ max: settings.channels_max })
  }

  /** Undefined for a channel without messages, and for one that was not learned of. */
  get(channel: ChannelId): MessageId | undefined {
    const known = this.#known.get(channel)
    return known === 'none' ? undefined : known
  }

  /** Looks up the channels that are not known. What is told meanwhile counts. Rejects as the looking up does. */
  async learn(channels: readonly ChannelId[]): Promise<void> {
    const unknown = channels.filter((channel) => !this.#known.has(channel))
    if (unknown.length === 0) return
    const found = await this.#settings.lookUp(unknown)
    for (const channel of unknown) {
      const newest = found.get(channel)
      if (newest !== undefined) this.note(channel, newest)
      else if (!this.#known.has(channel)) this.#known.set(channel, 'none')
    }
  }

  note(channel: ChannelId, message: MessageId): void {
    const known = this.get(channel)
    if (known === undefined || compareSnowflakes(known, message) < 0) this.#known.set(channel, message)
  }

  /** Takes note that messages are gone: which is the newest then has to be looked up. */
  forget(channel: ChannelId, messages: readonly MessageId[]): void {
    const known = this.get(channel)
    if (known !== undefined && messages.includes(known)) this.#known.delete(channel)
  }
}
