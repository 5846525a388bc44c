import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { Position } from '../../domain/kernel/position.ts'

type Job = () => Promise<void>

export interface EventLoopSettings {
  /** Handles one batch. Must not reject. */
  readonly handle: (events: readonly RecordedEvent[]) => Promise<void>
  readonly queuedEvents_max: number
  /** Called when too many events wait: they are dropped, up to this position. */
  readonly onOverrun: (lost: Position) => void
}

/**
 * Runs everything that changes who is notified of what strictly one after another: batches of events in order, and tasks in
 * between.
 */
export class EventLoop {
  readonly #settings: EventLoopSettings
  #jobs: Job[] = []
  #batches: (readonly RecordedEvent[])[] = []
  #queued_events = 0
  #isRunning = false

  constructor(settings: EventLoopSettings) {
    this.#settings = settings
  }

  get queued_events(): number {
    return this.#queued_events
  }

  /** Takes a batch, to handle after all previous ones. */
  push(events: readonly RecordedEvent[]): void {
    if (events.length === 0) return
    this.#batches.push(events)
    this.#queued_events += events.length
    if (this.#queued_events > this.#settings.queuedEvents_max) this.#overrun()
    else this.#add(() => this.#handleNext())
  }

  /** Runs a task between two batches; resolves or rejects as it does. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#add(() => task().then(resolve, reject))
    })
  }

  #handleNext(): Promise<void> {
    const events = this.#batches.shift()
    if (!events) return Promise.resolve()
    this.#queued_events -= events.length
    return this.#settings.handle(events)
  }

  #overrun(): void {
    const lost = this.#batches.at(-1)?.at(-1)?.position
    this.#batches = []
    this.#queued_events = 0
    if (lost !== undefined) this.#settings.onOverrun(lost)
  }

  #add(job: Job): void {
    this.#jobs.push(job)
    if (!this.#isRunning) void this.#work()
  }

  async #work(): Promise<void> {
    this.#isRunning = true
    for (let jobs = this.#jobs; jobs.length > 0; jobs = this.#jobs) {
      this.#jobs = []
      for (const job of jobs) await job()
    }
    this.#isRunning = false
  }
}
