import fc from 'fast-check'
import { expect, it } from 'vitest'
import { orderedPlaces } from '../../projections/discovery/search/ordered-places.ts'

/** Places 0 to 2,999, of which many are added before anybody asks for the order. */
const steps = fc.array(
  fc.record({
    isAdded: fc.boolean(),
    from: fc.nat(2999),
    count: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 900, max: 3000 })),
    isRead: fc.boolean(),
  }),
  { maxLength: 12 },
)

it('holds what was added and not removed, in order, however many came at once', () => {
  // Neighbours lie far apart in this order.
  const rankOf = (place: number): number => (place * 1231) % 3001
  fc.assert(
    fc.property(steps, (all) => {
      const places = orderedPlaces((a, b) => rankOf(a) - rankOf(b))
      const model = new Set<number>()
      for (const { isAdded, from, count, isRead } of all) {
        for (let place = from; place < Math.min(from + count, 3000); place += 1) {
          if (isAdded && !model.has(place)) places.add(place)
          if (!isAdded && model.has(place)) places.remove(place)
          if (isAdded) model.add(place)
          else model.delete(place)
        }
        if (isRead) expect([...places.all()]).toStrictEqual([...model].toSorted((a, b) => rankOf(a) - rankOf(b)))
      }
      expect([...places.all()]).toStrictEqual([...model].toSorted((a, b) => rankOf(a) - rankOf(b)))
    }),
    { numRuns: 20 },
  )
})
