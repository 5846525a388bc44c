import { beforeAll, type Position } from '../../domain/kernel/position.ts'
import type { ReadModels } from '../../application/ports/read-models.ts'
import { ReadModelsBehind } from '../../application/failures/read-models-behind.ts'

/** How long a caller waits for the read models to hold a position. */
export const readModelWait_ms_max = 10_000

/** Knows how far the live read models have come, and lets callers wait for more. */
export interface Progress extends ReadModels {
  readonly position: Position
  /** Notes that every live read model holds all events up to a position. */
  note(position: Position): void
  /** Rejects all callers that wait, now and later. */
  close(): void
}

interface Waiter {
  readonly position: Position
  /** In milliseconds of performance.now(). */
  readonly deadline: number
  readonly resolve: () => void
  readonly reject: (error: ReadModelsBehind) => void
}

/** How often positions are looked up while a caller waits. */
export const poll_ms = 50

/** `look` is called every `poll_ms` while a caller waits; `onPosition` before callers that waited for a position go on. */
export function progress(look: () => void, onPosition: (position: Position) => void = () => undefined): Progress {
  const waiters = new Set<Waiter>()
  // Before anything is known, not even the beginning is reached: the tables may not exist yet.
  let position: Position = beforeAll - 1n
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function settle(): void {
    for (const waiter of waiters) {
      if (waiter.position > position) continue
      waiters.delete(waiter)
      waiter.resolve()
    }
    if (waiters.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function tick(): void {
    const now = performance.now()
    for (const waiter of waiters) {
      if (waiter.deadline > now) continue
      waiters.delete(waiter)
      waiter.reject(new ReadModelsBehind(`Read models are at ${position}, not at ${waiter.position}`))
    }
    settle()
    if (waiters.size > 0) look()
  }

  return {
    get position() {
      return position
    },
    note(reached) {
      if (reached <= position) return
      position = reached
      onPosition(reached)
      settle()
    },
    reached(wanted) {
      if (wanted <= position) return Promise.resolve()
      if (closed) return Promise.reject(new ReadModelsBehind('Projecting has stopped'))
      timer ??= setInterval(tick, poll_ms)
      const deadline = performance.now() + readModelWait_ms_max
      return new Promise((resolve, reject) => waiters.add({ position: wanted, deadline, resolve, reject }))
    },
    close() {
      closed = true
      for (const { reject } of waiters) reject(new ReadModelsBehind('Projecting has stopped'))
      waiters.clear()
      settle()
    },
  }
}
