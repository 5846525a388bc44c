import { expect } from 'vitest'

const growth = 8
const tries = 5
/** Processors change speed between two measurements: quadratic time fails every round, linear time only an unlucky one. */
const rounds = 5
/** Less processor time than this can't be measured. */
const least_ms = 2

/**
 * Expects that the time to read a text grows linearly with its length. The text is compared with an eighth of itself: quadratic
 * time would take 64 times as long. The best of five rounds counts, in processor time, so that other work on the machine does
 * not matter.
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
 * The same for an input that is made in a given size: the time to read it grows linearly with the size. `read` gets a new input
 * each time if it may change its input.
 */
export function expectLinearIn<Input>(
  size: number,
  make: (size: number) => Input,
  read: (input: Input) => unknown,
): void {
  const long = make(size)
  // So little time that an eighth of it could not reveal quadratic growth.
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
