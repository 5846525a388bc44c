/** 2015-01-01T00:00:00Z in milliseconds since the Unix epoch: ids hold the time since then. */
export const snowflakeEpochMs = 1_420_070_400_000
export const snowflakeMax = 9_223_372_036_854_775_807n
const workerIdMax = 1023
const sequenceMax = 4095

declare const snowflakeBrand: unique symbol

/** A 63-bit id as a decimal string: 41 bits of milliseconds, 10 bits of worker, 12 bits of sequence. */
export type Snowflake = string & { readonly [snowflakeBrand]: true }

/** Brands a decimal string that is known to be a snowflake, for example one from the store. */
export function snowflake(digits: string): Snowflake {
  return digits as Snowflake
}

export type SnowflakeParse =
  | { readonly ok: true; readonly id: Snowflake }
  | { readonly ok: false; readonly code: 'INVALID_SNOWFLAKE_FORMAT' | 'SNOWFLAKE_OUT_OF_RANGE' }

/** Parses an id from outside: `0`, or digits without a leading zero, up to 2^63 - 1. */
export function parseSnowflake(text: string): SnowflakeParse {
  const digits = text.trim()
  if (!/^(?:0|[1-9][0-9]*)$/.test(digits)) return { ok: false, code: 'INVALID_SNOWFLAKE_FORMAT' }
  if (digits.length > 19 || BigInt(digits) > snowflakeMax) return { ok: false, code: 'SNOWFLAKE_OUT_OF_RANGE' }
  return { ok: true, id: snowflake(digits) }
}

/** When the id was made, in milliseconds since the Unix epoch. */
export function snowflakeMs(id: Snowflake): number {
  return Number(BigInt(id) >> 22n) + snowflakeEpochMs
}

/** Orders ids by value: negative when `a` is lower. */
export function compareSnowflakes(a: Snowflake, b: Snowflake): number {
  return a.length === b.length ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length
}

/** The state of a generator: the highest millisecond it used, and the last sequence number in it. */
export interface SnowflakeClock {
  readonly ms: number
  readonly sequence: number
}

/**
 * The next id of one worker. If the clock steps back, it keeps using the highest millisecond seen. If a millisecond's 4096
 * numbers are used up, it borrows the next millisecond. So ids of one worker only ever grow.
 */
export function nextSnowflake(
  clock: SnowflakeClock,
  nowMs: number,
  workerId: number,
): { readonly id: Snowflake; readonly clock: SnowflakeClock } {
  const advanced =
    nowMs > clock.ms
      ? { ms: nowMs, sequence: 0 }
      : clock.sequence < sequenceMax
        ? { ms: clock.ms, sequence: clock.sequence + 1 }
        : { ms: clock.ms + 1, sequence: 0 }
  return {
    id: composeSnowflake(advanced.ms, (workerId & workerIdMax) * (sequenceMax + 1) + advanced.sequence),
    clock: advanced,
  }
}

/** The id made of an instant and 22 low bits. */
export function composeSnowflake(ms: number, lowBits: number): Snowflake {
  return snowflake(((BigInt(ms - snowflakeEpochMs) << 22n) | BigInt(lowBits)).toString())
}
