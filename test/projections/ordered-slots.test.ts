import fc from 'fast-check'
import { expect, it } from 'vitest'
import { orderedSlots } from '../../projections/discovery/search/ordered-slots.ts'

/** Slots 0 to 2,999, of which many are added before anybody asks for the order. */
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
  const rankOf = (slot: number): number => (slot * 1231) % 3001
  fc.assert(
    fc.property(steps, (all) => {
      const slots = orderedSlots((a, b) => rankOf(a) - rankOf(b))
      const model = new Set<number>()
      for (const { isAdded, from, count, isRead } of all) {
        for (let slot = from; slot < Math.min(from + count, 3000); slot += 1) {
          if (isAdded && !model.has(slot)) slots.add(slot)
          if (!isAdded && model.has(slot)) slots.remove(slot)
          if (isAdded) model.add(slot)
          else model.delete(slot)
        }
        if (isRead) expect([...slots.all()]).toStrictEqual([...model].toSorted((a, b) => rankOf(a) - rankOf(b)))
      }
      expect([...slots.all()]).toStrictEqual([...model].toSorted((a, b) => rankOf(a) - rankOf(b)))
    }),
    { numRuns: 20 },
  )
})
