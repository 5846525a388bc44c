import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OrderedSet } from '../../../gateway/member-lists/ordered-set.ts'

const step = fc.record({ adds: fc.boolean(), item: fc.nat({ max: 60 }) })

describe('an ordered set', () => {
  it('is a sorted list without repeats, whatever is added and deleted', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 300 }),
        fc.nat({ max: 70 }),
        fc.nat({ max: 20 }),
        (steps, from, count) => {
          const set = new OrderedSet<number>((one, other) => one - other)
          const model = new Set<number>()
          for (const { adds, item } of steps) {
            expect(adds ? set.add(item) : set.delete(item)).toBe(adds !== model.has(item))
            if (adds) model.add(item)
            else model.delete(item)
          }
          const sorted = [...model].toSorted((one, other) => one - other)
          expect(set.size).toBe(sorted.length)
          expect(set.slice(from, from + count)).toStrictEqual(sorted.slice(from, from + count))
          for (const item of [0, 13, 60]) expect(set.rankOf(item)).toBe(sorted.filter((other) => other < item).length)
        },
      ),
    )
  })

  it('is no deeper for items that come in order', () => {
    let compared = 0
    const set = new OrderedSet<number>((one, other) => {
      compared += 1
      return one - other
    })
    for (let item = 0; item < 20_000; item += 1) set.add(item)
    compared = 0
    for (let item = 0; item < 20_000; item += 100) set.rankOf(item)
    // A balanced tree has 15 levels, a treap some two or three times as many; a list would have thousands.
    expect(compared / 200).toBeLessThan(60)
  })
})
