import { LRUCache } from 'lru-cache'
import type { Messages } from '../../application/ports/messages.ts'
import type { ChannelId } from '../../domain/ids/ids.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'
import { nothingLast, type ChannelLast } from '../../domain/messages/channel-last.ts'

export const cachedLast_max = 100_000
/** After a write with an unknown outcome, nothing is cached for this long: the write may still happen. */
export const inDoubt_ms = 30_000

type Written = Pick<Messages, 'post' | 'pin' | 'remove' | 'removeOfAuthor' | 'removeChannels' | 'lastOf'>

/**
 * Caches the newest message and the last pin of each requested channel until this process changes the channel's messages. Only for a process
 * that writes all messages of clients; messages that a command writes beside it (`guildhall seed`) show up with their notices.
 * `now_ms` is a clock that never steps back.
 */
export function cachedLastMessages(messages: Written, now_ms: () => number = () => performance.now()) {
  const kept = new KeptLast(messages, now_ms)
  return {
    messages: {
      post: (posting) => kept.writing([posting.audience.channelId], () => messages.post(posting)),
      pin: (pinned) => kept.writing([pinned.audience.channelId], () => messages.pin(pinned)),
      remove: (ids, audience) => kept.writing([audience.channelId], () => messages.remove(ids, audience)),
      removeOfAuthor: (author, channels, options) =>
        kept.writing(
          channels.map(({ channelId }) => channelId),
          () => messages.removeOfAuthor(author, channels, options),
        ),
      removeChannels: (channels) => kept.writing(channels, () => messages.removeChannels(channels)),
      lastOf: (channels) => kept.lastOf(channels),
    } satisfies Partial<Messages>,
    /** Runs a write to channels that does not go through these calls. */
    writing: <Result>(channels: readonly ChannelId[], write: () => Promise<Result>) => kept.writing(channels, write),
    /** For changes made by other processes, and for removals other than through these calls. */
    forget: (channels: readonly ChannelId[]) => kept.forget(channels),
    forgetAll: () => kept.forgetAll(),
  }
}

class KeptLast {
  readonly #messages: Pick<Messages, 'lastOf'>
  readonly #now_ms: () => number
  readonly #known = new LRUCache<ChannelId, ChannelLast>(growsTo(cachedLast_max))
  /** For each read under way, the channels that were forgotten since it began. */
  readonly #reads = new Set<Set<ChannelId>>()
  #inDoubtUntil_ms = -Infinity

  constructor(messages: Pick<Messages, 'lastOf'>, now_ms: () => number) {
    this.#messages = messages
    this.#now_ms = now_ms
  }

  get #isInDoubt(): boolean {
    return this.#now_ms() < this.#inDoubtUntil_ms
  }

  forget(channels: readonly ChannelId[]): void {
    for (const channel of channels) {
      this.#known.delete(channel)
      for (const stale of this.#reads) stale.add(channel)
    }
  }

  forgetAll(): void {
    this.#known.clear()
    // A read that is no longer in this set caches nothing.
    this.#reads.clear()
  }

  async writing<Result>(channels: readonly ChannelId[], write: () => Promise<Result>): Promise<Result> {
    try {
      return await write()
    } catch (error) {
      this.#inDoubtUntil_ms = this.#now_ms() + inDoubt_ms
      throw error
    } finally {
      this.forget(channels)
    }
  }

  async lastOf(channels: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, ChannelLast>> {
    if (this.#isInDoubt) return this.#messages.lastOf(channels)
    const held = channels.flatMap((channel): [ChannelId, ChannelLast][] => {
      const last = this.#known.get(channel)
      return last === undefined || last === nothingLast ? [] : [[channel, last]]
    })
    const missing = channels.filter((channel) => !this.#known.has(channel))
    return new Map([...held, ...(missing.length === 0 ? [] : await this.#read(missing))])
  }

  async #read(channels: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, ChannelLast>> {
    const stale = new Set<ChannelId>()
    this.#reads.add(stale)
    try {
      const found = await this.#messages.lastOf(channels)
      if (this.#reads.has(stale) && !this.#isInDoubt)
        for (const channel of channels)
          if (!stale.has(channel)) this.#known.set(channel, found.get(channel) ?? nothingLast)
      return found
    } finally {
      this.#reads.delete(stale)
    }
  }
}
