import { expect } from 'vitest'

const growth = 8
const tries = 5
/** Processors slow down and speed up between two measurements: a square fails every round, a line only one that was struck. */
const rounds = 5
/** Less of the processor than this can't be told from nothing. */
const least_ms = 2

/**
 * Expects that reading a text takes a time that grows as its length does, however often it was made to be looked at. It is
 * compared with an eighth of itself, to which the square of the length would take 64 times as long; the best of five counts,
 * in time of the processor, so that what the machine does for others does not.
 */
export function expectLinear(read: (text: string) => unknown, long: string): void {
  read(long)
  const short = long.slice(0, long.length / growth)
  expectLine(
    () => read(long),
    () => read(short),
  )
}

/**
 * The same for what is made in a size: how long it takes to read grows as the size does. `read` gets a new input each time where
 * it may change what it is given.
 */
export function expectLinearIn<Input>(
  size: number,
  make: (size: number) => Input,
  read: (input: Input) => unknown,
): void {
  const long = make(size)
  // So little that no eighth of it could tell a square.
  if (processor_ms(() => read(long), 1) < 3 * growth * least_ms) return
  const short = make(Math.ceil(size / growth))
  expectLine(
    () => read(long),
    () => read(short),
  )
}

function expectLine(readLong: () => unknown, readShort: () => unknown): void {
  for (let round = 1; ; round += 1) {
    const short_ms = processor_ms(readShort)
    const long_ms = processor_ms(readLong)
    const most_ms = 3 * growth * Math.max(short_ms, least_ms)
    if (long_ms < most_ms) return
    if (round === rounds) expect(long_ms, `against ${short_ms} ms for an eighth of it`).toBeLessThan(most_ms)
  }
}

function processor_ms(act: () => unknown, times = tries): number {
  const times_ms = Array.from({ length: times }, () => {
    const began = process.cpuUsage()
    act()
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1000
  })
  return Math.min(...times_ms)
}
