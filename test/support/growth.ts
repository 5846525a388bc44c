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

function processor_ms(act: () => unknown): number {
  const times_ms = Array.from({ length: tries }, () => {
    const began = process.cpuUsage()
    act()
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1000
  })
  return Math.min(...times_ms)
}
