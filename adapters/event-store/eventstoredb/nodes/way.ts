import { setTimeout as wait } from 'node:timers/promises'
import { EventStoreClosed } from '../../errors.ts'
import { failureOf } from '../failures.ts'
import { callFailure } from './call-failure.ts'
import { openChannel, type Channel } from './channel.ts'
import type { Destination } from './connection-string.ts'
import { textOf, type Endpoint } from './endpoints.ts'
import { askGossip, type Member } from './gossip.ts'
import { gossip_ms_max, searchOf, type Search } from './search.ts'

/**
 * The connection to the leading node: one channel, until that node is left. A node that does not answer is shunned until it
 * does.
 */
export class Way {
  readonly #destination: Destination
  readonly #onNotice: (text: string) => void
  readonly #search: Search
  readonly #doubted = new WeakSet<Channel>()
  readonly #closing = new AbortController()
  #opening: Promise<Channel> | undefined
  #channel: Channel | undefined
  /** The leader that a follower node named. */
  #named: Endpoint | undefined
  #searched_ms = Number.NEGATIVE_INFINITY

  /** `onNotice` is called, with one line, for each node that is left because it is gone. */
  constructor(destination: Destination, onNotice: (text: string) => void) {
    this.#destination = destination
    this.#onNotice = onNotice
    this.#search = searchOf(destination, this.#closing.signal)
  }

  /**
   * The channel to the leading node. All waiting callers share one search. Rejects with EventStoreUnavailable if there is no
   * such node now, and with EventStoreClosed after `close`.
   */
  channel(): Promise<Channel> {
    if (this.#closing.signal.aborted) return Promise.reject(closed())
    if (this.#opening) return this.#opening
    const opening = this.#open().catch((error: unknown) => {
      if (this.#opening === opening) this.#opening = undefined
      throw this.#closing.signal.aborted ? closed() : failureOf(error)
    })
    this.#opening = opening
    return opening
  }

  /** Handles the error of a call: leaves the node if it is gone or does not lead, and doubts it if it may be gone. */
  failed(channel: Channel, error: unknown): void {
    if (this.#channel !== channel) return
    const failure = callFailure(error)
    if (failure.means === 'other leader') {
      this.#named = failure.leader
      this.#leave(channel)
    } else if (failure.means === 'node gone') {
      this.#leaveGone(channel, error)
    } else if (failure.means === 'no answer') {
      this.doubt(channel)
    }
  }

  /** Asks a node that owes an answer whether it is alive and leads; leaves it if not. */
  doubt(channel: Channel): void {
    if (this.#channel !== channel || this.#doubted.has(channel)) return
    this.#doubted.add(channel)
    void this.#examine(channel)
  }

  close(): void {
    this.#closing.abort()
    this.#channel?.close()
  }

  async #open(): Promise<Channel> {
    const pause_ms = this.#searched_ms + this.#destination.search_ms - performance.now()
    const { signal } = this.#closing
    if (pause_ms > 0) await wait(pause_ms, undefined, { signal })
    this.#searched_ms = performance.now()
    const named = this.#named
    this.#named = undefined
    const node = await this.#search.find(named)
    signal.throwIfAborted()
    this.#channel = openChannel(node, this.#destination)
    return this.#channel
  }

  async #examine(channel: Channel): Promise<void> {
    try {
      const { security } = this.#destination
      const members = await askGossip(channel.node, {
        security,
        atMost_ms: gossip_ms_max,
        signal: this.#closing.signal,
      })
      if (this.#channel === channel && this.#isFollower(channel, members)) this.#leave(channel)
    } catch (error) {
      if (this.#channel === channel) this.#leaveGone(channel, error)
    } finally {
      this.#doubted.delete(channel)
    }
  }

  /** Whether a node knows of another leader. A lone node may have another name for itself than we have. */
  #isFollower({ node }: Channel, members: readonly Member[]): boolean {
    const leaders = members.filter(({ leads }) => leads).map(({ endpoint }) => textOf(endpoint))
    return this.#destination.finding !== 'alone' && leaders.length > 0 && !leaders.includes(textOf(node))
  }

  #leaveGone(channel: Channel, error: unknown): void {
    this.#search.shun(channel.node)
    this.#leave(channel)
    this.#onNotice(`Left the node ${textOf(channel.node)}: ${failureOf(error).message}`)
  }

  /** Cancels the calls under way; they start again on another node. */
  #leave(channel: Channel): void {
    if (this.#channel === channel) this.#opening = this.#channel = undefined
    channel.close()
  }
}

const closed = (): EventStoreClosed => new EventStoreClosed('The event store is closed')
