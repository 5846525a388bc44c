import { setTimeout as pause } from 'node:timers/promises'
import { quantile, type Comparison, type Sample } from './rounds.ts'

/** Repeats a task for some seconds, one or several at a time. The first few are not measured. */
export async function timed(
  seconds: number,
  task: (turn: number) => Promise<void>,
  warmUp_count = 20,
  atOnce_count = 1,
): Promise<Sample> {
  let turn = 0
  while (turn < warmUp_count) await task(turn++)
  const times: number[] = []
  const start = performance.now()
  const run = async (): Promise<void> => {
    while (performance.now() < start + seconds * 1000) {
      const began = performance.now()
      await task(turn++)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: atOnce_count }, run))
  const sorted = times.toSorted((a, b) => a - b)
  const p50_ms = quantile(sorted, 0.5)
  const details = { p50_ms, p99_ms: quantile(sorted, 0.99), count: times.length }
  return { rate: (1000 * atOnce_count) / p50_ms, cores: {}, details }
}

/** The median of the rounds. */
export function timeOf({ samples }: Comparison, side: 'product' | 'baseline', name: 'p50_ms' | 'p99_ms'): number {
  const values = samples.map((sample) => sample[side].details[name] ?? Number.NaN)
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}

/** Repeats a request until something else is over. Gives how long each took, in order of length. */
export async function timesOf(request: () => Promise<unknown>, other: Promise<unknown>): Promise<readonly number[]> {
  const state = { isOver: false }
  const over = other.finally(() => (state.isOver = true))
  const times: number[] = []
  while (!state.isOver) {
    const began = performance.now()
    await request()
    times.push(performance.now() - began)
    await pause(5)
  }
  await over
  return times.toSorted((a, b) => a - b)
}
