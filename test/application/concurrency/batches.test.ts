import { describe, expect, it } from 'vitest'
import { atMost, inBatches, type Queued, type RunBatch } from '../../../application/concurrency/batches.ts'
import { withResolvers } from '../../adapters/reservations/counted.ts'

/** Adds to batches of at most three items, with at most five waiting. */
function batchesOf<Result>(run: RunBatch<number, Result>): (item: number) => Promise<Result> {
  const refusal = ({ items }: Queued): Error | undefined => (items < 5 ? undefined : new Error('overfull'))
  return inBatches({ run, begin: atMost(3), refusal }).add
}

const unbounded = { refusal: () => undefined }

describe('batches', () => {
  it('contain what arrives while one is in progress, up to their bound, and give each item its own result', async () => {
    const sizes: number[] = []
    const double = batchesOf(async (items: readonly number[]) => {
      sizes.push(items.length)
      await new Promise(setImmediate)
      return items.map((item) => item * 2)
    })
    expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10])
    expect(sizes).toEqual([3, 2])
    expect(await double(6)).toBe(12)
  })

  it('accept no more items than may wait', async () => {
    const { promise: goOn, resolve } = withResolvers()
    const { promise: isAtWork, resolve: begin } = withResolvers()
    const wait = batchesOf(async (items: readonly number[]) => {
      begin()
      await goOn
      return items
    })
    const first = [1, 2, 3].map(wait)
    await isAtWork
    const others = [4, 5, 6, 7, 8].map(wait)
    await expect(wait(9)).rejects.toThrow('overfull')
    resolve()
    expect(await Promise.all([...first, ...others])).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('fail as a whole, and do not affect the next batch', async () => {
    let runs = 0
    const run = batchesOf(async (items: readonly number[]) => {
      runs += 1
      await new Promise(setImmediate)
      if (runs === 1) throw new Error('lost')
      return items
    })
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(run))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled'])
  })

  it('fail if a result is missing', async () => {
    const run = batchesOf(() => Promise.resolve([]))
    await expect(run(1)).rejects.toThrow('0 results for 1 items')
  })

  it('end before the first item that does not fit, and always take one', async () => {
    const batches: (readonly number[])[] = []
    const begin = () => {
      let sum = 0
      return (item: number) => (sum += item) <= 10
    }
    const run = async (items: readonly number[]) => {
      batches.push(items)
      return items
    }
    const { add } = inBatches({ run, begin, ...unbounded })
    expect(await Promise.all([4, 6, 1, 99, 5, 5].map(add))).toEqual([4, 6, 1, 99, 5, 5])
    expect(batches).toEqual([[4, 6], [1], [99], [5, 5]])
  })

  it('reject a single item if its result is an error', async () => {
    const even = batchesOf(async (items) => items.map((item) => (item % 2 === 0 ? item : new Error(`${item} is odd`))))
    const outcomes = await Promise.allSettled([2, 3, 4].map(even))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: { message: '3 is odd' } })
  })

  it('know how much waits, by number and by size', async () => {
    const queued: Queued[] = []
    const { add } = inBatches({
      run: async (items: readonly number[]) => items,
      begin: atMost(2),
      sizeOf: (item) => item,
      refusal: (seen) => {
        queued.push(seen)
        return seen.size > 10 ? new Error('too much') : undefined
      },
    })
    const outcomes = await Promise.allSettled([7, 4, 1].map(add))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    await add(5)
    expect(queued).toEqual([
      { items: 0, size: 0 },
      { items: 1, size: 7 },
      { items: 2, size: 11 },
      { items: 0, size: 0 },
    ])
  })

  it('are done once each item is answered', async () => {
    const answered: number[] = []
    const { add, settled } = inBatches({
      run: async (items: readonly number[]) => items,
      begin: atMost(1),
      ...unbounded,
    })
    const all = [1, 2, 3].map(async (item) => answered.push(await add(item)))
    await settled()
    expect(answered).toEqual([1, 2, 3])
    await Promise.all(all)
  })
})
