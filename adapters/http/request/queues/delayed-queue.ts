/** How long requests may wait for their turn, in milliseconds. */
export interface DelayBounds {
  /** No request waits longer. */
  readonly wait_ms_max: number
  /** The wait that is acceptable without overload. */
  readonly target_ms: number
  /** If every request waited longer than the target for this long, the server is overloaded. */
  readonly interval_ms: number
}

export interface Waiter {
  /** Called once, if the request waited too long. */
  shed(): void
  /** Whether the client is gone. */
  isGone(): boolean
}

/**
 * A queue that is controlled by waiting time, as CoDel does (RFC 8289), instead of by length. If the shortest wait during an
 * interval was above the target, it is overloaded until it is empty; meanwhile the newest goes first. Items that have waited
 * too long are shed, the oldest first (decision 184). Times are from a clock that never steps back.
 */
export interface DelayedQueue<Item extends Waiter> {
  readonly length: number
  readonly isOverloaded: boolean
  add(item: Item, now_ms: number): void
  /** The next item; undefined if none waits. */
  take(now_ms: number): Item | undefined
  /** Sheds the items that have waited too long. */
  look(now_ms: number): void
}

interface Entry<Item> {
  readonly item: Item
  readonly since_ms: number
}

export function delayedQueue<Item extends Waiter>(bounds: DelayBounds): DelayedQueue<Item> {
  return new Controlled(bounds)
}

class Controlled<Item extends Waiter> implements DelayedQueue<Item> {
  readonly #bounds: DelayBounds
  /** The oldest first, from `#first` on. */
  #entries: Entry<Item>[] = []
  #first = 0
  /** Since when every item waited longer than the target. */
  #above_ms: number | undefined
  #isOverloaded = false

  constructor(bounds: DelayBounds) {
    this.#bounds = bounds
  }

  get length(): number {
    return this.#entries.length - this.#first
  }

  get isOverloaded(): boolean {
    return this.#isOverloaded
  }

  add(item: Item, now_ms: number): void {
    this.#entries.push({ item, since_ms: now_ms })
  }

  take(now_ms: number): Item | undefined {
    this.look(now_ms)
    for (;;) {
      const entry = this.#isOverloaded && this.length > 0 ? this.#entries.pop() : this.#shift()
      if (this.length === 0) this.#calm()
      if (!entry) return undefined
      if (entry.item.isGone()) continue
      if (!this.#isOverloaded && now_ms - entry.since_ms < this.#bounds.target_ms) this.#above_ms = undefined
      return entry.item
    }
  }

  look(now_ms: number): void {
    const { wait_ms_max, target_ms, interval_ms } = this.#bounds
    for (let oldest = this.#entries[this.#first]; oldest; oldest = this.#entries[this.#first]) {
      const waited_ms = now_ms - oldest.since_ms
      if (waited_ms >= target_ms) this.#above_ms ??= now_ms
      if (this.#above_ms !== undefined && now_ms - this.#above_ms >= interval_ms) this.#isOverloaded = true
      if (waited_ms < wait_ms_max) return
      this.#shift()?.item.shed()
    }
    this.#calm()
  }

  #shift(): Entry<Item> | undefined {
    const entry = this.#entries[this.#first]
    if (!entry) return undefined
    this.#first += 1
    // At most half of the array is used-up entries.
    if (this.#first * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first)
      this.#first = 0
    }
    return entry
  }

  #calm(): void {
    this.#entries = []
    this.#first = 0
    this.#above_ms = undefined
    this.#isOverloaded = false
  }
}
