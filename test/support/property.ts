import fc from 'fast-check'
import { it } from 'vitest'

/** The number of cases of a property. */
const runs = Number(process.env['PROPERTY_RUNS'] ?? 200)

/**
 * A test that holds for every value of an arbitrary. The predicate expects. Its result is ignored, so write it with a block
 * body. A failure names its seed: PROPERTY_SEED=<seed> tries the same cases again, PROPERTY_RUNS sets how many.
 */
export function property<Value>(
  name: string,
  arbitrary: fc.Arbitrary<Value>,
  predicate: (value: Value) => undefined,
): void {
  it(name, () => {
    holdsFor(arbitrary, predicate)
  })
}

const seed = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 2 ** 31)

/**
 * The values of each arbitrary. The laws of one aggregate share their arbitrary, so its histories are made once for all of
 * them.
 */
const samples = new WeakMap<fc.Arbitrary<unknown>, readonly unknown[]>()

function samplesOf<Value>(arbitrary: fc.Arbitrary<Value>): readonly Value[] {
  const known = samples.get(arbitrary) as readonly Value[] | undefined
  if (known) return known
  const made = fc.sample(arbitrary, { seed, numRuns: runs })
  samples.set(arbitrary, made)
  return made
}

/**
 * Throws if the predicate throws for a value of the arbitrary, with the smallest such value and the seed. The same arbitrary
 * gives every predicate the same values, so a predicate must not change them.
 */
export function holdsFor<Value>(arbitrary: fc.Arbitrary<Value>, predicate: (value: Value) => undefined): void {
  try {
    for (const value of samplesOf(arbitrary)) predicate(value)
  } catch (error) {
    // Tries the same cases again, one after another, down to the smallest that fails.
    const wrapped = fc.property(arbitrary, (value) => {
      predicate(value)
    })
    fc.assert(wrapped, { seed, numRuns: runs, includeErrorInReport: true })
    throw new Error(`It failed once, and not for the same value made anew: was the value changed? (seed: ${seed})`, {
      cause: error,
    })
  }
}
