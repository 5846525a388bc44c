/** A clock that stands still until a test moves it. The doubles of the stores and their clients read the same one. */
export interface TestClock {
  readonly now: () => number
  pass(ms: number): void
}

/** Begins at the present, in whole seconds. */
export function testClock(): TestClock {
  let at_ms = Math.floor(Date.now() / 1000) * 1000
  return {
    now: () => at_ms,
    pass: (ms) => {
      at_ms += ms
    },
  }
}

/** The present, for trying by hand. */
export function runningClock(): TestClock {
  let ahead_ms = 0
  return {
    now: () => Date.now() + ahead_ms,
    pass: (ms) => {
      ahead_ms += ms
    },
  }
}
