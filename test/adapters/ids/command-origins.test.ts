import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandOrigins, repeatableIds_max } from '../../../adapters/ids/command-origins.ts'
import { snowflakeGenerator } from '../../../adapters/ids/snowflake-generator.ts'
import type { CommandOrigin, OriginRecipe } from '../../../application/ports/command-origins.ts'
import { nextSnowflake, snowflakeMs } from '../../../domain/ids/snowflake.ts'

const start = 1_700_000_000_000
const bytesOf = (origin: CommandOrigin, ...counts: readonly number[]) =>
  counts.map((count) => Buffer.from(origin.randomBytes(count)).toString('hex')).join('')
const idsOf = (origin: CommandOrigin, count: number) => Array.from({ length: count }, () => origin.newId())

function generator(workerId = 1) {
  let ms = start
  return { ...snowflakeGenerator({ workerId, now: () => ms }), set: (now: number) => (ms = now) }
}

describe('a generator of snowflakes', () => {
  it('gives ids of its time and worker', () => {
    const id = generator(1023).next()
    expect(snowflakeMs(id)).toBe(start)
    expect((BigInt(id) >> 12n) & 1023n).toBe(1023n)
  })
  it.each([-1, 1024, 1.5, Number.NaN])('has no worker %s', (workerId) => {
    expect(() => snowflakeGenerator({ workerId })).toThrow(RangeError)
  })
  it('gives ids that only grow, whatever the clock does and however many are set aside', () => {
    const step = fc.record({
      clock: fc.integer({ min: -5, max: 5 }),
      take: fc.integer({ min: 1, max: 5000 }),
      aside: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const ids = generator()
        let [now, last] = [start, 0n]
        for (const { clock, take, aside } of steps) {
          ids.set((now += clock))
          let position = aside ? ids.setAside(take) : undefined
          for (let count = 0; count < Math.min(take, 50); count += 1) {
            const made = position && nextSnowflake(position, position.ms, 1)
            position = made?.clock
            const id = BigInt(made?.id ?? ids.next())
            expect(id).toBeGreaterThan(last)
            last = id
          }
          const skipped = position && take > 50 ? take - 50 : 0
          for (let count = 0; position && count < skipped; count += 1)
            position = nextSnowflake(position, position.ms, 1).clock
          const after = BigInt(ids.next())
          expect(after).toBeGreaterThan(position ? BigInt(nextSnowflake(position, position.ms, 1).id) - 1n : last)
          last = after
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('a fresh origin', () => {
  it('is another one each time', () => {
    const origins = commandOrigins({ snowflakes: generator() })
    const [one, other] = [origins.fresh(), origins.fresh()]
    expect(one.commandId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(one.commandId).not.toBe(other.commandId)
    expect(bytesOf(one, 32)).not.toBe(bytesOf(other, 32))
    expect(new Set([...idsOf(one, 2), ...idsOf(other, 2)]).size).toBe(4)
    expect(one.mayRepeat).toBe(false)
  })
})

describe('a recipe', () => {
  it('gives the same command each time that it is followed, also after it was stored', () => {
    const origins = commandOrigins({ snowflakes: generator(), now: () => start })
    const recipe = origins.newRecipe()
    const later = commandOrigins({ snowflakes: generator(9) })
    const [first, again] = [
      origins.follow(recipe, false),
      later.follow(JSON.parse(JSON.stringify(recipe)) as OriginRecipe, true),
    ]
    expect([again.commandId, again.now, again.mayRepeat, first.mayRepeat]).toEqual([
      first.commandId,
      first.now,
      true,
      false,
    ])
    expect(idsOf(again, 100)).toEqual(idsOf(first, 100))
    expect(bytesOf(again, 7, 20)).toEqual(bytesOf(first, 20, 7))
  })
  it('has ids that nobody else gets', () => {
    const origins = commandOrigins({ snowflakes: generator(), now: () => start })
    const recipes = [origins.newRecipe(), origins.newRecipe()]
    const ids = [
      ...recipes.flatMap((recipe) => idsOf(origins.follow(recipe, false), repeatableIds_max)),
      ...idsOf(origins.fresh(), 5000),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })
  it('ends after its ids', () => {
    const origins = commandOrigins({ snowflakes: generator() })
    const origin = origins.follow(origins.newRecipe(), false)
    idsOf(origin, repeatableIds_max)
    expect(() => origin.newId()).toThrow(String(repeatableIds_max))
  })
})
