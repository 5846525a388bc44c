import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { betweenFiles, held, leftBehind, type Held } from './left-behind.ts'

// Runs around every file (setupFiles): the files of a worker share its process, so none may leave anything behind in it.
let before: Held = new Map()
beforeAll(() => {
  before = held()
})
// How many assertions ran, for the summary of a run (test/run.mjs).
afterEach(({ task }) => {
  Object.assign(task.meta, { assertions: expect.getState().assertionCalls })
})
afterAll(async () => {
  for (const end of betweenFiles) await end()
  // Sockets and processes end a moment after they are told to.
  await vi.waitFor(
    () => {
      const left = leftBehind(before)
      if (left.length > 0) throw new Error(`The file left behind: ${left.join(', ')}`)
    },
    { timeout: 10_000, interval: 50 },
  )
})
