import { afterEach, expect, it } from 'vitest'
import { repeatedly, type Repeated } from '../../../process/roles/repeatedly.ts'

const never_ms = 3_600_000
let repeated: Repeated | undefined
afterEach(() => repeated?.stop())

/** A task whose runs end one by one. */
function task() {
  const ends: (() => void)[] = []
  let runs = 0
  return {
    run: () => {
      runs += 1
      return new Promise<void>((resolve) => ends.push(resolve))
    },
    runs: () => runs,
    end: () => ends.shift()?.(),
  }
}

it('runs at once when it is wanted soon, and never twice at once', async () => {
  const { run, runs, end } = task()
  repeated = repeatedly(never_ms, run, () => undefined)
  expect(runs()).toBe(0)
  repeated.soon()
  expect(runs()).toBe(1)
  // What is wanted during a run may have come too late for it.
  repeated.soon()
  repeated.soon()
  expect(runs()).toBe(1)
  end()
  await expect.poll(runs).toBe(2)
  end()
  repeated.soon()
  await expect.poll(runs).toBe(3)
  end()
})

it('does not run any more once it is stopped, whatever is wanted', async () => {
  const { run, runs, end } = task()
  const stopped = repeatedly(never_ms, run, () => undefined)
  stopped.soon()
  stopped.soon()
  const stopping = stopped.stop()
  end()
  await stopping
  stopped.soon()
  expect(runs()).toBe(1)
})

it('reports a run that failed, and runs again', async () => {
  const errors: unknown[] = []
  let runs = 0
  repeated = repeatedly(
    never_ms,
    async () => {
      runs += 1
      if (runs === 1) throw new Error('no luck')
    },
    (error) => errors.push(error),
  )
  repeated.soon()
  await expect.poll(() => errors).toMatchObject([{ message: 'no luck' }])
  repeated.soon()
  expect(runs).toBe(2)
})
