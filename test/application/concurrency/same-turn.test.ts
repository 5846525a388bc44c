import { describe, expect, it } from 'vitest'
import { inSameTurn } from '../../../application/concurrency/same-turn.ts'

/** Doubles numbers, and keeps how they were asked for. */
function doubling(items_max: number) {
  const asked: (number | readonly number[])[] = []
  const double = (item: number): number => {
    if (item < 0) throw new Error(`${item} is refused`)
    return item * 2
  }
  const ask = inSameTurn<number, number>({
    items_max,
    alone: async (item) => {
      asked.push(item)
      return double(item)
    },
    together: async (items) => {
      asked.push(items)
      return items.map(double)
    },
  })
  return { ask, asked }
}

describe('what is asked for in the same turn', () => {
  it('is carried out together, and each caller gets its own', async () => {
    const { ask, asked } = doubling(10)
    expect(await Promise.all([1, 2, 3].map(ask))).toStrictEqual([2, 4, 6])
    expect(asked).toStrictEqual([[1, 2, 3]])
  })

  it('is carried out alone if nobody else asks', async () => {
    const { ask, asked } = doubling(10)
    expect([await ask(1), await ask(2)]).toStrictEqual([2, 4])
    expect(asked).toStrictEqual([1, 2])
  })

  it('is cut into batches of the most that go together', async () => {
    const { ask, asked } = doubling(2)
    expect(await Promise.all([1, 2, 3].map(ask))).toStrictEqual([2, 4, 6])
    expect(asked).toStrictEqual([[1, 2], 3])
  })

  it('fails with its batch, and with no other', async () => {
    const { ask } = doubling(2)
    const settled = await Promise.allSettled([1, -2, 3, 4].map(ask))
    expect(settled.map(({ status }) => status)).toStrictEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled'])
  })
})
