import { timestamp, type Timestamp } from '../domain/kernel/timestamp.ts'

/** The Gateway's source of time. One interval drives all its timers. */
export interface GatewayClock {
  /** What time it is. */
  now(): Timestamp
  /** Calls `task` periodically, until the returned function is called. */
  every(period_ms: number, task: () => void): () => void
}

/** The process's clock. It does not keep the process alive. */
export const processClock: GatewayClock = {
  now: () => timestamp(Date.now()),
  every: (period_ms, task) => {
    const interval = setInterval(task, period_ms).unref()
    return () => {
      clearInterval(interval)
    }
  },
}

export const tick_ms = 250

/**
 * The Gateway's timers: a wheel of tasks that turns once per tick, however many connections there are. It counts ticks, not clock
 * time, so that a stall of the process counts against nobody's heartbeat.
 */
export class Ticker {
  readonly #wheel = new Map<number, Set<() => void>>()
  readonly #onError: (error: unknown) => void
  readonly #stop: () => void
  #ticks = 0

  constructor(clock: GatewayClock, onError: (error: unknown) => void) {
    this.#onError = onError
    this.#stop = clock.every(tick_ms, () => {
      this.#tick()
    })
  }

  /** Milliseconds since the start, in whole ticks. */
  get now_ms(): number {
    return this.#ticks * tick_ms
  }

  /** Calls `task` once, at the first tick that is at least `delay_ms` away, unless the returned function is called before. */
  after(delay_ms: number, task: () => void): () => void {
    const due = this.#ticks + Math.max(1, Math.ceil(delay_ms / tick_ms))
    const slot = this.#wheel.get(due) ?? new Set()
    this.#wheel.set(due, slot)
    // A new function, so that the same task can wait twice.
    const entry = (): void => {
      task()
    }
    slot.add(entry)
    return () => {
      slot.delete(entry)
    }
  }

  /** Resolves at the first tick that is at least `delay_ms` away. */
  wait(delay_ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(delay_ms, resolve)
    })
  }

  stop(): void {
    this.#stop()
    this.#wheel.clear()
  }

  #tick(): void {
    this.#ticks += 1
    const due = this.#wheel.get(this.#ticks)
    this.#wheel.delete(this.#ticks)
    for (const task of due ?? []) this.#run(task)
  }

  #run(task: () => void): void {
    try {
      task()
    } catch (error) {
      this.#onError(error)
    }
  }
}
