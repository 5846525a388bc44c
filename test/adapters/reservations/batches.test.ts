import { describe, expect, it } from 'vitest'
import { inBatches } from '../../../adapters/reservations/batches.js'
import { withResolvers } from './counted.js'

const bounds = { batch_max: 3, waiting_max: 5, overfull: () => new Error('overfull') }

describe('batches', () => {
  it('hold what arrives while one is at work, up to their bound, and give each item its own result', async () => {
    const sizes: number[] = []
    const double = inBatches(async (items: readonly number[]) => {
      sizes.push(items.length)
      await new Promise(setImmediate)
      return items.map((item) => item * 2)
    }, bounds)
    expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10])
    expect(sizes).toEqual([3, 2])
    expect(await double(6)).toBe(12)
  })

  it('take no more items than may wait', async () => {
    const { promise: goOn, resolve } = withResolvers()
    const { promise: isAtWork, resolve: begin } = withResolvers()
    const wait = inBatches(async (items: readonly number[]) => {
      begin()
      await goOn
      return items
    }, bounds)
    const first = [1, 2, 3].map(wait)
    await isAtWork
    const others = [4, 5, 6, 7, 8].map(wait)
    await expect(wait(9)).rejects.toThrow('overfull')
    resolve()
    expect(await Promise.all([...first, ...others])).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('fail together, and leave the next batch alone', async () => {
    let runs = 0
    const run = inBatches(async (items: readonly number[]) => {
      runs += 1
      await new Promise(setImmediate)
      if (runs === 1) throw new Error('lost')
      return items
    }, bounds)
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(run))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled'])
  })

  it('fail where a result is missing', async () => {
    const run = inBatches(() => Promise.resolve([]), bounds)
    await expect(run(1)).rejects.toThrow('0 results for 1 items')
  })
})
