import { LRUCache } from 'lru-cache'
import type { ChannelId, MessageId } from '../../domain/ids/ids.ts'
import { has } from '../../domain/guild/channel.ts'
import type { Guild } from '../../domain/guild/state.ts'
import type { SessionSnapshot } from '../../application/ports/queries/session-snapshot.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'
import { laterOf, nothingLast, type ChannelLast } from '../../domain/messages/channel-last.ts'

export interface NewestMessagesSettings {
  /** The newest message and the last pin of each channel that has either. */
  readonly lookUp: (channels: readonly ChannelId[]) => Promise<ReadonlyMap<ChannelId, ChannelLast>>
  readonly channels_max: number
}

interface Known {
  readonly last: ChannelLast
  /** Whether it has to be looked up again: its pins changed, or only its messages were told of. */
  readonly isStale: boolean
}

/** The newest message and the last pin of each channel that sessions see, kept up to date by notices. */
export class NewestMessages {
  readonly #settings: NewestMessagesSettings
  readonly #known: LRUCache<ChannelId, Known>
  /** The messages deleted, and the channels whose pins changed, during each lookup in progress. */
  readonly #changedMeanwhile = new Set<{ readonly gone: Set<MessageId>; readonly pinned: Set<ChannelId> }>()

  constructor(settings: NewestMessagesSettings) {
    this.#settings = settings
    this.#known = new LRUCache(growsTo(settings.channels_max))
  }

  /** Undefined for a channel that was not learned. */
  get(channel: ChannelId): ChannelLast | undefined {
    return this.#known.get(channel)?.last
  }

  /** Looks up unknown channels. Notices that arrive meanwhile take precedence. Rejects as the lookup does. */
  async learn(channels: readonly ChannelId[]): Promise<void> {
    const unknown = channels.filter((channel) => this.#known.get(channel)?.isStale ?? true)
    if (unknown.length === 0) return
    const { found, gone, pinned } = await this.#lookUp(unknown)
    const isOld = (channel: ChannelId): boolean => {
      const messageId = found.get(channel)?.messageId ?? null
      return pinned.has(channel) || (messageId !== null && gone.has(messageId))
    }
    for (const channel of unknown.filter((each) => !isOld(each))) {
      const last = laterOf(found.get(channel) ?? nothingLast, this.get(channel) ?? nothingLast)
      this.#known.set(channel, { last, isStale: false })
    }
    await this.learn(unknown.filter(isOld))
  }

  /** The result, and what changed during the lookup. */
  async #lookUp(channels: readonly ChannelId[]) {
    const changed = { gone: new Set<MessageId>(), pinned: new Set<ChannelId>() }
    this.#changedMeanwhile.add(changed)
    try {
      return { found: await this.#settings.lookUp(channels), ...changed }
    } finally {
      this.#changedMeanwhile.delete(changed)
    }
  }

  note(channel: ChannelId, messageId: MessageId): void {
    const { last, isStale } = this.#known.get(channel) ?? { last: nothingLast, isStale: true }
    this.#known.set(channel, { last: laterOf(last, { messageId, pinnedAt: null }), isStale })
  }

  /** Notes that messages were pinned or unpinned: when the last one was has to be looked up. */
  notePins(channel: ChannelId): void {
    for (const { pinned } of this.#changedMeanwhile) pinned.add(channel)
    const known = this.#known.get(channel)
    if (known) this.#known.set(channel, { ...known, isStale: true })
  }

  /** Notes that messages were deleted; if the newest one was, the next must be looked up. */
  forget(channel: ChannelId, messages: readonly MessageId[]): void {
    for (const { gone } of this.#changedMeanwhile) for (const message of messages) gone.add(message)
    const newest = this.get(channel)?.messageId ?? null
    if (newest !== null && messages.includes(newest)) this.#known.delete(channel)
  }
}

/** The channels of a guild that messages stand in. */
export function messageChannels(guild: Pick<Guild, 'channels'> | undefined): readonly ChannelId[] {
  return (guild?.channels ?? []).filter(({ type }) => has(type, 'messages')).map(({ id }) => id)
}

/** The channels of a snapshot that hold messages. */
export function channelsIn({ guilds, privateChannels }: SessionSnapshot): readonly ChannelId[] {
  return [...privateChannels.map(({ id }) => id), ...guilds.flatMap(({ guild }) => messageChannels(guild))]
}
