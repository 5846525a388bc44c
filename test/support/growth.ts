import { expect } from 'vitest'

const growth = 8
const tries = 5
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
  expect(processor_ms(() => read(long))).toBeLessThan(
    3 *
      growth *
      Math.max(
        processor_ms(() => read(short)),
        least_ms,
      ),
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
  const short_ms = processor_ms(() => read(short))
  expect(processor_ms(() => read(long))).toBeLessThan(3 * growth * Math.max(short_ms, least_ms))
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
