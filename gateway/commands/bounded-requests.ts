import type { Session } from '../sessions/session.ts'
import type { Ticker } from '../ticker.ts'

export interface BoundedRequestsSettings {
  readonly ticker: Pick<Ticker, 'after'>
  readonly requests_max: number
  readonly deadline_ms: number
  /** Called with the errors of failed requests; the client gets no answer. */
  readonly onError: (error: unknown) => void
}

/** Counts the requests of each session in progress: op 8, 14, 15 and 16 share one bound. */
export class BoundedRequests {
  readonly #settings: BoundedRequestsSettings
  readonly #atWork = new WeakMap<Session, number>()

  constructor(settings: BoundedRequestsSettings) {
    this.#settings = settings
  }

  /** Whether to drop one more. */
  isFull(session: Session): boolean {
    return this.#countOf(session) >= this.#settings.requests_max
  }

  /** Runs a task, which must check `isOver` before it continues. Drops one too many. Never rejects. */
  async run(session: Session, task: (isOver: () => boolean) => Promise<void>): Promise<void> {
    if (this.isFull(session)) return
    const { ticker, deadline_ms, onError } = this.#settings
    let isOver = false
    const finish = (): void => {
      if (isOver) return
      isOver = true
      this.#atWork.set(session, this.#countOf(session) - 1)
    }
    this.#atWork.set(session, this.#countOf(session) + 1)
    const cancel = ticker.after(deadline_ms, finish)
    try {
      await task(() => isOver || session.isEnded)
    } catch (error) {
      onError(error)
    } finally {
      cancel()
      finish()
    }
  }

  #countOf(session: Session): number {
    return this.#atWork.get(session) ?? 0
  }
}
