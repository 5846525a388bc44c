import { describe, expect, it } from 'vitest'
import { takeBatches, type Spend } from '../../../adapters/http/limits/take-batches.ts'
import type { Rate } from '../../../application/ports/allowances.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import { times } from './limits-support.ts'

const hour = (requests: number): Rate => ({ requests, seconds: 3600 })

describe('asks of buckets that come together', () => {
  it('travel together in the next batch, each bucket once', async () => {
    const sizes: number[][] = []
    const spend: Spend = async (spendings) => {
      sizes.push(spendings.map(({ takes }) => takes))
      await new Promise(setImmediate)
      return spendings.map(({ key }) => ({ key, owed_ms: 0, added: true }))
    }
    const batches = takeBatches(spend)
    const first = batches.ask('take', 'a', hour(9))
    await new Promise(setImmediate)
    await Promise.all([
      first,
      ...['a', 'b', 'a'].map((key) => batches.ask('take', key, hour(9))),
      batches.ask('look', 'b', hour(9)),
    ])
    expect(sizes).toEqual([[1], [2, 1]])
  })
  it('take their second bucket along, for the turn that each has at the first one', async () => {
    const asked: unknown[] = []
    const spend: Spend = async (spendings, followings) => {
      asked.push([spendings.map(({ takes }) => takes), followings.map(({ turn }) => turn)])
      await new Promise(setImmediate)
      return [...spendings, ...followings].map(({ key }) => ({ key, owed_ms: 0, added: true }))
    }
    const batches = takeBatches(spend)
    const pair = (first: string, second: string) =>
      batches.takeBoth({ key: first, rate: hour(9) }, { key: second, rate: hour(9) })
    await Promise.all([
      pair('a', 'x'),
      batches.ask('take', 'a', hour(9)),
      pair('b', 'x'),
      pair('a', 'y'),
      pair('x', 'z'),
    ])
    expect(asked).toEqual([
      [
        [3, 1],
        [1, 1, 3],
      ],
      // What was a second bucket is a first one: it waits for the next batch.
      [[1], [1]],
    ])
  })
  it('are refused as unavailable where too many wait already', async () => {
    let go = (): void => undefined
    const spend: Spend = async (spendings) => {
      await new Promise<void>((resolve) => (go = resolve))
      return spendings.map(({ key }) => ({ key, owed_ms: 0, added: true }))
    }
    const batches = takeBatches(spend, 3)
    const underWay = batches.ask('take', 'first', hour(1))
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    const waiting = times(3, (index) => batches.ask('take', `${index}`, hour(1)))
    await expect(batches.ask('take', 'one more', hour(1))).rejects.toBeInstanceOf(Unavailable)
    go()
    await underWay
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    go()
    expect((await Promise.all(waiting)).map(({ admitted }) => admitted)).toEqual([true, true, true])
  })
})
