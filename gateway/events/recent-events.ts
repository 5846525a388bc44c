import { beforeAll, type Position } from '../../domain/kernel/position.ts'
import type { Ticker } from '../ticker.ts'
import type { KnownEvent } from '../visibility/known-event.ts'

/** The events handled last. A session needs them, in addition to its READY, if its snapshot was taken before them. */
export class RecentEvents {
  readonly #count_max: number
  #events: KnownEvent[] = []
  #handled: Position = beforeAll
  #forgotten: Position = beforeAll
  #begun: Position | undefined
  readonly #waiting = new Set<() => void>()

  constructor(count_max: number) {
    this.#count_max = count_max
  }

  /** Everything up to here was handled. */
  get handled(): Position {
    return this.#handled
  }

  /** The first call notes what the bus brings: events after a position. Nobody here has heard of those up to there. */
  begin(position: Position): void {
    this.#begun ??= position
  }

  /** Notes that everything up to a position was handled, including this event if sessions are notified of it. */
  note(position: Position, event: KnownEvent | undefined): void {
    if (position <= this.#handled) return
    this.#moveOn(position)
    if (!event) return
    this.#events.push(event)
    if (this.#events.length < this.#count_max * 2) return
    const kept = this.#events.slice(-this.#count_max)
    this.#forgotten = this.#events.at(-this.#count_max - 1)?.position ?? this.#forgotten
    this.#events = kept
  }

  /** Notes that everything up to a position is lost: nobody can be notified of it any more. */
  skipTo(position: Position): void {
    this.#moveOn(position)
    this.#forgotten = position
    this.#events = []
  }

  /**
   * Resolves with whether everything up to a position was handled or lost: at once when it is, otherwise after the maximum wait.
   */
  reached(position: Position, wait_ms_max: number, ticker: Pick<Ticker, 'after'>): Promise<boolean> {
    if (position <= this.#handled) return Promise.resolve(true)
    return new Promise((resolve) => {
      const look = (): void => {
        if (position <= this.#handled) settle()
      }
      const cancel = ticker.after(wait_ms_max, () => {
        settle()
      })
      const settle = (): void => {
        cancel()
        this.#waiting.delete(look)
        resolve(position <= this.#handled)
      }
      this.#waiting.add(look)
    })
  }

  #moveOn(position: Position): void {
    this.#handled = position
    for (const look of this.#waiting) look()
  }

  /** Whether all events after a position that were before now are remembered. */
  remembers(position: Position): boolean {
    return this.#begun !== undefined && position >= this.#begun && position >= this.#forgotten
  }

  /** The last remembered event of which something is true. */
  last(isMeant: (event: KnownEvent) => boolean): KnownEvent | undefined {
    return this.#events.findLast(isMeant)
  }

  /** The handled events after a position, oldest first; undefined if that is too long ago. */
  after(position: Position): readonly KnownEvent[] | undefined {
    if (position < this.#forgotten) return undefined
    return this.#events.slice(this.#events.findLastIndex((event) => event.position <= position) + 1)
  }
}
