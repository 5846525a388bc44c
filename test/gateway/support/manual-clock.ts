import { timestamp } from '../../../domain/kernel/timestamp.ts'
import type { GatewayClock } from '../../../gateway/ticker.ts'

const start_ms = Date.UTC(2026, 4, 1)

/** A clock that stands still until a test advances it. */
export interface ManualClock extends GatewayClock {
  /** Lets time pass, one period after another. */
  advance(ms: number): void
}

export function manualClock(): ManualClock {
  const tasks = new Map<object, { readonly period_ms: number; readonly task: () => void; due_ms: number }>()
  let now_ms = 0
  return {
    now: () => timestamp(start_ms + now_ms),
    every(period_ms, task) {
      const key = {}
      tasks.set(key, { period_ms, task, due_ms: now_ms + period_ms })
      return () => {
        tasks.delete(key)
      }
    },
    advance(ms) {
      const end = now_ms + ms
      for (;;) {
        const next = [...tasks.values()]
          .filter(({ due_ms }) => due_ms <= end)
          .toSorted((a, b) => a.due_ms - b.due_ms)[0]
        if (!next) break
        now_ms = next.due_ms
        next.due_ms += next.period_ms
        next.task()
      }
      now_ms = end
    },
  }
}
