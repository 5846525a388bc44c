import { delayedQueue, type DelayBounds, type DelayedQueue, type Waiter } from './delayed-queue.ts'

/** A request's right to be at work. */
export interface Turn {
  /** Lets the next request start while this one waits for its client. */
  pause(): void
  /** Continues without waiting again. */
  resume(): void
  end(): void
}

/** For requests that take no turns. */
export const noTurn: Turn = { pause: () => undefined, resume: () => undefined, end: () => undefined }

export interface QueueBounds extends DelayBounds {
  /** How many requests work at once before the next one waits. */
  readonly atWork_max: number
  /** A request at work for longer is assumed to wait for something else, and no longer blocks others. */
  readonly turn_ms_max: number
}

/** A request that asks for a turn. */
export interface Comer {
  /** Whether its credential resolved recently. All others are strangers. */
  readonly isKnown: boolean
  isGone(): boolean
}

/** The queue in which requests of one kind wait for their turn. */
export interface RequestQueue {
  readonly waiting: number
  /** Whether requests wait too long, so that some are shed. */
  readonly isOverloaded: boolean
  /** Gives a turn, at once if no request waits. Resolves with undefined for a request that waited too long. */
  enter(comer: Comer): Turn | Promise<Turn | undefined>
  /** Sheds all waiting requests. */
  close(): void
}

interface Waiting extends Waiter {
  go(turn: Turn): void
}

const look_ms = 50

/**
 * Makes a queue. Requests with a recently resolved credential go before those of strangers. `onShed` is called for each request
 * that is shed because it waited too long.
 */
export function requestQueue(bounds: QueueBounds, onShed: () => void): RequestQueue {
  return new Queue(bounds, onShed)
}

class Queue implements RequestQueue {
  readonly #bounds: QueueBounds
  readonly #onShed: () => void
  readonly #known: DelayedQueue<Waiting>
  readonly #strangers: DelayedQueue<Waiting>
  /** The start of each request's work, the longest first. */
  readonly #turns = new Map<Turn, number>()
  #looks: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(bounds: QueueBounds, onShed: () => void) {
    this.#bounds = bounds
    this.#onShed = onShed
    this.#known = delayedQueue(bounds)
    this.#strangers = delayedQueue(bounds)
  }

  get waiting(): number {
    return this.#known.length + this.#strangers.length
  }

  get isOverloaded(): boolean {
    return this.#known.isOverloaded || this.#strangers.isOverloaded
  }

  enter(comer: Comer): Turn | Promise<Turn | undefined> {
    if (this.waiting === 0 && this.#turns.size < this.#bounds.atWork_max) return this.#begin()
    if (this.#isClosed) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const waiting: Waiting = {
        go: resolve,
        isGone: () => comer.isGone(),
        shed: () => {
          this.#onShed()
          resolve(undefined)
        },
      }
      const queue = comer.isKnown ? this.#known : this.#strangers
      queue.add(waiting, performance.now())
      this.#looks ??= setInterval(() => this.#look(), look_ms).unref()
    })
  }

  close(): void {
    this.#isClosed = true
    for (const queue of [this.#known, this.#strangers]) queue.look(Infinity)
    this.#rest()
  }

  #begin(): Turn {
    let isOver = false
    const turn: Turn = {
      pause: () => this.#leave(turn),
      resume: () => {
        if (!isOver && !this.#turns.has(turn)) this.#turns.set(turn, performance.now())
      },
      end: () => {
        isOver = true
        this.#leave(turn)
      },
    }
    turn.resume()
    return turn
  }

  #leave(turn: Turn): void {
    if (this.#turns.delete(turn) && this.waiting > 0) this.#next()
  }

  #next(): void {
    const now = performance.now()
    while (this.#turns.size < this.#bounds.atWork_max) {
      const next = this.#known.take(now) ?? this.#strangers.take(now)
      if (!next) return
      next.go(this.#begin())
    }
  }

  #look(): void {
    const now = performance.now()
    for (const queue of [this.#known, this.#strangers]) queue.look(now)
    const before = now - this.#bounds.turn_ms_max
    for (const [turn, since] of this.#turns) {
      if (since > before) break
      this.#turns.delete(turn)
    }
    this.#next()
    if (this.waiting === 0) this.#rest()
  }

  #rest(): void {
    clearInterval(this.#looks)
    this.#looks = undefined
  }
}
