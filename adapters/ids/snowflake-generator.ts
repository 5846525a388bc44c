import { nextSnowflake, type Snowflake, type SnowflakeClock } from '../../domain/ids/snowflake.js'

/** Makes the ids of one worker, which only ever grow, also when the clock steps back. */
export interface SnowflakeGenerator {
  readonly workerId: number
  next(): Snowflake
  /** Sets aside the next `count` ids: `nextSnowflake` gives them, starting from the returned clock. */
  setAside(count: number): SnowflakeClock
}

export interface SnowflakeSettings {
  /** 0-1023; no two processes that run at once may have the same. */
  readonly workerId: number
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number
}

const workerIdMax = 1023
const idsInOneMs = 4096

/** Throws where the worker id is not one. */
export function snowflakeGenerator({ workerId, now = Date.now }: SnowflakeSettings): SnowflakeGenerator {
  if (!Number.isInteger(workerId) || workerId < 0 || workerId > workerIdMax)
    throw new RangeError(`worker ids go from 0 to ${workerIdMax}, not ${workerId}`)
  let clock: SnowflakeClock = { ms: 0, sequence: 0 }
  return {
    workerId,
    next() {
      const made = nextSnowflake(clock, now(), workerId)
      clock = made.clock
      return made.id
    },
    setAside(count) {
      const nowMs = now()
      const before = nowMs > clock.ms ? { ms: nowMs, sequence: -1 } : clock
      clock = advanced(before, count)
      return before
    },
  }
}

function advanced({ ms, sequence }: SnowflakeClock, count: number): SnowflakeClock {
  const last = sequence + count
  return { ms: ms + Math.floor(last / idsInOneMs), sequence: last % idsInOneMs }
}
