import type { EventStore, RecordedEvent } from '../../../application/ports/event-store.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import { pause } from '../../../application/concurrency/pauses.ts'
import type { CarriedEvent } from './event-message.ts'
import type { EventCatalogs } from '../../../domain/aggregates.ts'
import { definitionOf, publicEvent } from './public-event.ts'
import { retryDelay_ms } from './retry-delay.ts'

export interface EventChainSettings {
  /** Events that did not arrive are read from here. */
  readonly store: Pick<EventStore, 'readAll'>
  readonly catalogs: EventCatalogs
  /** Everything up to this position was handled before. */
  readonly start: Position
  /** Receives every event after the start, once, in order of position. Must not throw. */
  readonly deliver: (events: readonly RecordedEvent[]) => void
  readonly onError: (error: unknown) => void
  readonly bounds?: Partial<ChainBounds>
}

export interface ChainBounds {
  /** How long an event waits for an earlier one that may be late. After that the store is asked. */
  readonly hold_ms: number
  /** The most events that may wait. One more is dropped, and read from the store when its turn comes. */
  readonly heldEvents_max: number
}

export const chainBounds: ChainBounds = { hold_ms: 20, heldEvents_max: 10_000 }

/** Counts of events; `refilled_events` came from the store. */
export interface ChainCounts {
  received_events: number
  repeated_events: number
  forgotten_events: number
  gaps: number
  refilled_events: number
}

/**
 * Turns what a carrier delivers into an ordered history without gaps. Each event names the one before it in the store, so lost,
 * late and repeated events are noticed: repeated ones are dropped, late ones are waited for, lost ones are read from the store.
 */
export class EventChain {
  readonly counts: ChainCounts = {
    received_events: 0,
    repeated_events: 0,
    forgotten_events: 0,
    gaps: 0,
    refilled_events: 0,
  }
  readonly #settings: EventChainSettings
  readonly #bounds: ChainBounds
  readonly #stopping = new AbortController()
  /** By position. All of them are later than what was handled. */
  #held: CarriedEvent[] = []
  #ready: RecordedEvent[] = []
  #handled: Position
  #patience: NodeJS.Timeout | undefined
  #refilling: Promise<void> | undefined

  constructor(settings: EventChainSettings) {
    this.#settings = settings
    this.#bounds = { ...chainBounds, ...settings.bounds }
    this.#handled = settings.start
  }

  /** Everything up to this position is delivered, or will be in this turn of the event loop. */
  get handled(): Position {
    return this.#handled
  }

  /** Takes the carrier's events in any order. */
  receive(carried: CarriedEvent): void {
    if (this.#stopping.signal.aborted) return
    this.counts.received_events++
    if (carried.position <= this.#handled) this.counts.repeated_events++
    else if (this.#hold(carried) && !this.#refilling) this.#take()
  }

  /**
   * Reads the missing events up to a position from the store. Used when the carrier delivers nothing that could reveal a gap.
   */
  async refill(upTo: Position): Promise<void> {
    await this.#refilling
    if (upTo <= this.#handled || this.#stopping.signal.aborted) return
    this.#refilling ??= this.#readUpTo(upTo)
    await this.#refilling
  }

  /** Delivers nothing from here on. Resolves once no read of the store is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#patience)
    this.#held = []
    this.#ready = []
    await this.#refilling
  }

  #hold(carried: CarriedEvent): boolean {
    const before = this.#held.findLastIndex(({ position }) => position <= carried.position)
    if (this.#held[before]?.position === carried.position) {
      this.counts.repeated_events++
      return false
    }
    if (this.#held.length >= this.#bounds.heldEvents_max) {
      this.counts.forgotten_events++
      return false
    }
    this.#held.splice(before + 1, 0, carried)
    return true
  }

  /** Passes on the events that follow without a gap. Waits a little for missing ones before it passes on the rest. */
  #take(): void {
    let taken = 0
    for (const { position, after, event } of this.#held) {
      if (after > this.#handled || !event) break
      this.#handled = position
      this.#pass(event)
      taken++
    }
    this.#held.splice(0, taken)
    this.#wait()
  }

  #wait(): void {
    const [next] = this.#held
    if (!next) {
      clearTimeout(this.#patience)
      this.#patience = undefined
    } else if (next.after <= this.#handled) void this.refill(next.position)
    else
      this.#patience ??= setTimeout(
        () => void this.refill(this.#held.at(-1)?.position ?? this.#handled),
        this.#bounds.hold_ms,
      )
  }

  #pass(event: RecordedEvent): void {
    if (this.#ready.length === 0) setImmediate(() => this.#flush())
    this.#ready.push(event)
  }

  #flush(): void {
    const events = this.#ready
    this.#ready = []
    if (events.length > 0) this.#settings.deliver(events)
  }

  async #readUpTo(upTo: Position): Promise<void> {
    const { signal } = this.#stopping
    clearTimeout(this.#patience)
    this.#patience = undefined
    this.counts.gaps++
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await this.#readOnce(upTo)
        break
      } catch (error) {
        if (!signal.aborted) this.#settings.onError(error)
        await pause(retryDelay_ms(failures), signal)
      }
    }
    this.#refilling = undefined
    if (!signal.aborted) this.#resume(upTo)
  }

  async #readOnce(upTo: Position): Promise<void> {
    for await (const page of this.#settings.store.readAll(this.#handled)) {
      for (const event of page) {
        if (event.position > upTo || this.#stopping.signal.aborted) return
        this.#handled = event.position
        this.counts.refilled_events++
        this.#pass(this.#public(event))
      }
      this.#flush()
    }
  }

  /** The event as the carrier would have delivered it, so that no subscriber comes to rely on what only the store gives. */
  #public(event: RecordedEvent): RecordedEvent {
    const unknown = { personal: Object.keys(event.data), personalReason: true }
    return publicEvent(event, definitionOf(this.#settings.catalogs, event) ?? unknown)
  }

  #resume(upTo: Position): void {
    if (this.#handled < upTo) {
      this.#settings.onError(
        new Error(`The bus tells of an event at position ${upTo} that the event store does not have`),
      )
    }
    this.#held = this.#held.filter(({ position }) => position > this.#handled && position > upTo)
    this.#take()
  }
}
