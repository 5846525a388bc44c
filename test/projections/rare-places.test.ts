import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rarePlaces } from '../../projections/discovery/search/rare-places.js'

/** Hashes that meet in one part of the table, at its end and in the same slots. Each differs in the 32 bits that are kept there. */
const hashes = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map((number) => number * 2 ** 16),
  fc.integer({ min: 0, max: 40 }).map((number) => (2 ** 24 - 1 - number) * 2 ** 16),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((number) => number * 2 ** 16),
)
const steps = fc.array(fc.record({ hash: hashes, place: fc.nat(3), isAdded: fc.boolean() }), {
  maxLength: 200,
  size: 'max',
})

const ascending = (numbers: readonly number[]): readonly number[] => numbers.toSorted((a, b) => a - b)

it('gives each hash the places that were added and not removed, however they lie in the table', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const places = rarePlaces()
      const model = new Map<number, readonly number[]>()
      for (const { hash, place, isAdded } of all) {
        const held = model.get(hash) ?? []
        if (isAdded && !held.includes(place)) {
          model.set(hash, [...held, place])
          expect(places.add(hash, place)).toBe(held.length + 1)
        } else if (!isAdded) {
          model.set(
            hash,
            held.filter((one) => one !== place),
          )
          places.remove(hash, place)
        }
      }
      for (const [hash, held] of model) expect(ascending(places.of(hash))).toStrictEqual(ascending(held))
    }),
  )
})
