import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everyoneRoleId, guildId } from '../../../domain/ids/ids.ts'
import {
  compareSnowflakes,
  composeSnowflake,
  nextSnowflake,
  parseSnowflake,
  snowflake,
  snowflakeEpochMs,
  snowflakeMax,
  snowflakeMs,
  type Snowflake,
  type SnowflakeClock,
} from '../../../domain/ids/snowflake.ts'
import { property } from '../../support/property.ts'

const started: SnowflakeClock = { ms: snowflakeEpochMs, sequence: 0 }
const in2026_ms = Date.UTC(2026, 4, 1)

describe('reading a snowflake', () => {
  it.each(['0', '1', '9007199254740993', '175928847299117063', '9223372036854775807'])('takes digits: %j', (text) => {
    expect(parseSnowflake(text)).toStrictEqual({ ok: true, id: text })
  })

  it.each([' 1', '1 ', '\t175928847299117063\n'])('removes surrounding whitespace: %j', (text) => {
    expect(parseSnowflake(text)).toStrictEqual({ ok: true, id: text.trim() })
  })

  it.each(
    [
      ['', ' ', '00', '01', '-1', '+1', '1.0', '1e3', '0x10', '1_000', '1,000', '1 2', 'NaN', 'abc', '1n', '@me'],
      ['١٢٣', '１２３', '1\0', '\ud83d', '-0', '1\n2', '9223372036854775807x', '--1'],
    ].flat(),
  )('takes no other form: %j', (text) => {
    expect(parseSnowflake(text)).toStrictEqual({ ok: false, code: 'INVALID_SNOWFLAKE_FORMAT' })
  })

  it.each(['9223372036854775808', '18446744073709551616', '10000000000000000000', '9'.repeat(40), '1'.repeat(100_000)])(
    'takes nothing from 2^63 on: %j',
    (text) => {
      expect(parseSnowflake(text)).toStrictEqual({ ok: false, code: 'SNOWFLAKE_OUT_OF_RANGE' })
    },
  )

  property('takes every value up to 2^63 - 1 as it is', fc.bigInt({ min: 0n, max: snowflakeMax }), (value) => {
    expect(parseSnowflake(value.toString())).toStrictEqual({ ok: true, id: value.toString() })
  })

  property('takes no value above it', fc.bigInt({ min: snowflakeMax + 1n, max: 1n << 200n }), (value) => {
    expect(parseSnowflake(value.toString())).toStrictEqual({ ok: false, code: 'SNOWFLAKE_OUT_OF_RANGE' })
  })

  property('takes a text exactly where it is the number that it means', fc.string({ maxLength: 20 }), (text) => {
    const read = parseSnowflake(text)
    if (read.ok) expect(BigInt(read.id).toString()).toBe(text.trim())
  })
})

describe('a snowflake', () => {
  const instants = fc.integer({ min: snowflakeEpochMs, max: snowflakeEpochMs + 2 ** 41 - 1 })
  const lowBits = fc.integer({ min: 0, max: 2 ** 22 - 1 })

  property('is 41 bits of milliseconds since 2015 and 22 others', fc.tuple(instants, lowBits), ([ms, low]) => {
    const id = composeSnowflake(ms, low)
    expect(parseSnowflake(id)).toStrictEqual({ ok: true, id })
    expect(snowflakeMs(id)).toBe(ms)
    expect(BigInt(id) & 0x3f_ffffn).toBe(BigInt(low))
  })

  it('has its time, worker and sequence where they belong', () => {
    const { id } = nextSnowflake({ ms: in2026_ms, sequence: 6 }, in2026_ms, 5)
    expect(BigInt(id)).toBe((BigInt(in2026_ms - 1_420_070_400_000) << 22n) | (5n << 12n) | 7n)
    expect(snowflakeMs(snowflake('0'))).toBe(Date.UTC(2015, 0, 1))
  })

  const ids = fc.bigInt({ min: 0n, max: snowflakeMax })
  property('is ordered by its value', fc.tuple(ids, ids), ([a, b]) => {
    const sign = Math.sign(compareSnowflakes(snowflake(a.toString()), snowflake(b.toString())))
    expect(sign).toBe(a < b ? -1 : a > b ? 1 : 0)
  })

  it("is shared by a guild and its everyone's role", () => {
    expect(everyoneRoleId(guildId(snowflake('81')))).toBe('81')
  })
})

describe('a worker', () => {
  /** The milliseconds by which the clock moves between two ids: often zero, sometimes negative. */
  const moves = fc.array(fc.constantFrom(0, 0, 0, 1, 5, -1, -1000, 1000), { maxLength: 200, size: 'max' })
  const workers = fc.integer({ min: 0, max: 1023 })

  property('makes ids that only grow, whatever its clock does', fc.tuple(moves, workers), ([steps, worker]) => {
    const ids = idsOf(worker, steps)
    for (const [index, id] of ids.entries()) {
      if (index > 0) expect(BigInt(id)).toBeGreaterThan(BigInt(ids[index - 1] ?? 0n))
    }
  })

  property('makes ids that no other worker makes', fc.tuple(moves, workers, workers), ([steps, one, other]) => {
    if (one === other) return
    const ids = [...idsOf(one, steps), ...idsOf(other, steps)]
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('borrows the next millisecond when one is used up, and catches up with it', () => {
    const full: SnowflakeClock = { ms: in2026_ms, sequence: 4095 }
    const borrowed = nextSnowflake(full, in2026_ms, 1)
    expect(borrowed.clock).toStrictEqual({ ms: in2026_ms + 1, sequence: 0 })
    expect(nextSnowflake(borrowed.clock, in2026_ms + 1, 1).clock).toStrictEqual({ ms: in2026_ms + 1, sequence: 1 })
    expect(nextSnowflake(borrowed.clock, in2026_ms + 2, 1).clock).toStrictEqual({ ms: in2026_ms + 2, sequence: 0 })
  })

  it('makes 10,000 different ids in one millisecond', () => {
    const ids = idsOf(
      1,
      Array.from({ length: 10_000 }, () => 0),
    )
    expect(new Set(ids).size).toBe(10_000)
    expect(ids.toSorted(compareSnowflakes)).toStrictEqual(ids)
  })
})

function idsOf(worker: number, moves_ms: readonly number[]): readonly Snowflake[] {
  let clock = started
  let now_ms = in2026_ms
  return moves_ms.map((move_ms) => {
    now_ms += move_ms
    const next = nextSnowflake(clock, now_ms, worker)
    clock = next.clock
    return next.id
  })
}
