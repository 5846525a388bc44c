import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WorkerIdLapsed } from '../../../adapters/ids/worker-lease.ts'
import { snowflakeGenerator } from '../../../adapters/ids/snowflake-generator.ts'
import { nextSnowflake, snowflakeMs, type Snowflake } from '../../../domain/ids/snowflake.ts'

const start = 1_700_000_000_000
const workerOf = (id: Snowflake): number => Number((BigInt(id) >> 12n) & 1023n)
const lapsed = (): never => {
  throw new WorkerIdLapsed('lapsed')
}

describe('a generator whose worker id may change', () => {
  it('asks for the worker id at each id', () => {
    let worker = 3
    const ids = snowflakeGenerator({ workerId: () => worker, now: () => start })
    expect([ids.workerId, workerOf(ids.next())]).toEqual([3, 3])
    worker = 9
    expect([ids.workerId, workerOf(ids.next())]).toEqual([9, 9])
  })

  it('makes none, and sets none aside, while there is no worker id; and goes on afterwards', () => {
    let ask: () => number = () => 3
    const ids = snowflakeGenerator({ workerId: () => ask(), now: () => start })
    const before = ids.next()
    ask = lapsed
    expect(() => ids.next()).toThrow(WorkerIdLapsed)
    expect(() => ids.setAside(10)).toThrow(WorkerIdLapsed)
    expect(() => ids.workerId).toThrow(WorkerIdLapsed)
    ask = () => 3
    expect(BigInt(ids.next()) - BigInt(before)).toBe(1n)
  })

  it('takes no worker id that is none', () => {
    const ids = snowflakeGenerator({ workerId: () => 1024 })
    expect(() => ids.next()).toThrow(RangeError)
    expect(() => ids.setAside(1)).toThrow(RangeError)
  })

  it('never repeats an id and never steps back in time, whatever changes its worker id and its clock', () => {
    const step = fc.record({
      worker: fc.integer({ min: 0, max: 2 }),
      clock: fc.integer({ min: -5, max: 5 }),
      take: fc.integer({ min: 1, max: 3000 }),
      aside: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let [worker, now, lastMs] = [0, start, 0]
        const ids = snowflakeGenerator({ workerId: () => worker, now: () => now })
        const made = new Set<string>()
        let [count, ofOthers, stepsBack] = [0, 0, 0]
        for (const { worker: next, clock, take, aside } of steps) {
          ;[worker, now] = [next, now + clock]
          let position = aside ? ids.setAside(take) : undefined
          for (let given = 0; given < take; given += 1) {
            const reserved = position && nextSnowflake(position, position.ms, worker)
            position = reserved?.clock
            const id = reserved?.id ?? ids.next()
            const ms = snowflakeMs(id)
            // Counted, because an `expect` for each of this many ids takes seconds.
            if (workerOf(id) !== worker) ofOthers += 1
            if (ms < lastMs) stepsBack += 1
            lastMs = ms
            made.add(id)
            count += 1
          }
        }
        expect({ repeated: count - made.size, ofOthers, stepsBack }).toEqual({ repeated: 0, ofOthers: 0, stepsBack: 0 })
      }),
      { numRuns: 20 },
    )
  })
})
