import { setImmediate as nextTurn } from 'node:timers/promises'
import type messages from '@eventstore/db-client/generated/streams_pb.js'
import type { Position } from '../../../domain/kernel/position.ts'
import type { ReadCall } from './connection.ts'
import type { Deadline } from './deadlines.ts'
import { EventStoreUnavailable, failureOf } from './failures.ts'
import { eventOf, type ReadEvent } from './read-messages.ts'

/** A part of the log: our events in it, and its end. */
export interface Span {
  readonly events: readonly ReadEvent[]
  /** A consumer that has finished the events has finished everything up to here. */
  readonly upTo: Position
}

/** What the server sends, in order: an event, or a notice that no event of ours lies before a position. */
type Item = { readonly event: ReadEvent } | { readonly checkpoint: Position }

export const bufferEvents_max = 1000
export const bufferBytes_max = 8 * 1024 * 1024

/**
 * One subscription, until it breaks. Events and checkpoints wait in one queue as they arrive, so that a checkpoint counts only
 * once everything before it was taken. While the queue is full, the call is not read.
 */
export class Subscription {
  readonly #call: ReadCall
  readonly #queue: Item[] = []
  readonly #unconfirmed: NodeJS.Timeout
  #bytes = 0
  /** The position of the last event taken, or the start. */
  #last: Position
  #upTo: Position
  /** The newest checkpoint taken. It counts once the next one is taken: servers before 23.6 let it overtake events. */
  #checkpoint: Position | undefined
  #over: { readonly failure?: unknown } | undefined
  #wake = (): void => undefined

  constructor(call: ReadCall, after: Position, confirmation: Deadline) {
    this.#call = call
    this.#last = after
    this.#upTo = after
    const late = new EventStoreUnavailable('EventStoreDB confirmed a subscription not in time')
    this.#unconfirmed = setTimeout(() => this.#end(late), confirmation.remaining_ms())
    call.on('data', (response: messages.ReadResp) => this.#take(response))
    call.on('error', (error) => this.#end(failureOf(error)))
    call.on('end', () => this.#end(new EventStoreUnavailable('EventStoreDB ended a subscription')))
  }

  /**
   * The next span, with at most this many events; undefined once cancelled. Rejects once the subscription is broken and the
   * queue is empty.
   */
  async next(maxEvents: number): Promise<Span | undefined> {
    while (this.#queue.length === 0) {
      if (this.#over) return this.#finish(this.#over)
      await new Promise<void>((resolve) => (this.#wake = resolve))
      // Items that arrive together are taken together.
      await nextTurn()
    }
    const events = this.#dequeue(maxEvents)
    if (this.#call.isPaused() && !this.#isFull()) this.#call.resume()
    return { events, upTo: this.#upTo }
  }

  cancel(): void {
    this.#queue.length = 0
    this.#end()
  }

  #finish(over: { readonly failure?: unknown }): undefined {
    if ('failure' in over) throw over.failure
  }

  #end(failure?: unknown): void {
    clearTimeout(this.#unconfirmed)
    this.#over ??= failure === undefined ? {} : { failure }
    this.#call.cancel()
    this.#wake()
  }

  #take(response: messages.ReadResp): void {
    clearTimeout(this.#unconfirmed)
    if (this.#over) return
    try {
      this.#enqueue(response)
    } catch (error) {
      this.#end(error)
    }
  }

  #enqueue(response: messages.ReadResp): void {
    const event = eventOf(response)
    const checkpoint = response.getCheckpoint()?.getCommitPosition()
    if (event) this.#queue.push({ event })
    else if (checkpoint !== undefined) this.#queue.push({ checkpoint: BigInt(checkpoint) })
    else return
    this.#bytes += event?.bytes ?? 0
    if (this.#isFull()) this.#call.pause()
    this.#wake()
  }

  #isFull(): boolean {
    return this.#queue.length >= bufferEvents_max || this.#bytes >= bufferBytes_max
  }

  /** Takes events, with the checkpoints among them and right after them. */
  #dequeue(maxEvents: number): readonly ReadEvent[] {
    const events: ReadEvent[] = []
    let taken = 0
    for (const item of this.#queue) {
      if ('checkpoint' in item) this.#pass(item.checkpoint)
      else if (events.length === maxEvents) break
      else if (this.#isNews(item.event)) events.push(item.event)
      taken += 1
    }
    this.#queue.splice(0, taken)
    return events
  }

  /** A checkpoint may name the position where the next record begins, so a repeated one says nothing new. */
  #pass(checkpoint: Position): void {
    const before = this.#checkpoint
    if (before !== undefined && checkpoint <= before) return
    if (before !== undefined && before > this.#upTo) this.#upTo = before
    this.#checkpoint = checkpoint
  }

  #isNews({ position, bytes }: ReadEvent): boolean {
    this.#bytes -= bytes
    if (position <= this.#last) return false
    this.#last = position
    if (position > this.#upTo) this.#upTo = position
    this.#checkpoint = undefined
    return true
  }
}
