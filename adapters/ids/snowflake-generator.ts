import { nextSnowflake, type Snowflake, type SnowflakeClock } from '../../domain/ids/snowflake.ts'

/** Makes ids that always grow within one worker id, even if the clock steps back. */
export interface SnowflakeGenerator {
  /** The worker id of new ids. Throws if there is none at the moment. */
  readonly workerId: number
  /** The instant of the highest id that was made or reserved, or that it started above. */
  readonly highest_ms: number
  /** Throws as `workerId` does. */
  next(): Snowflake
  /**
   * Reserves the next `count` ids: `nextSnowflake` gives them, starting from the returned clock, with the `workerId` read in
   * the same turn of the event loop. Throws as `workerId` does.
   */
  setAside(count: number): SnowflakeClock
}

export interface SnowflakeSettings {
  /** 0-1023. No two running processes may have the same. A function is called for each id, because a lease may lapse. */
  readonly workerId: number | (() => number)
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number
  /** Every id is made after this instant, whatever the clock says; milliseconds since the Unix epoch. */
  readonly after_ms?: number
}

const workerIdMax = 1023
const idsInOneMs = 4096

/** Throws if the worker id is invalid. A change of worker id does not reset the clock: this process uses no instant twice. */
export function snowflakeGenerator({ workerId, now = Date.now, after_ms = 0 }: SnowflakeSettings): SnowflakeGenerator {
  const currentWorker = typeof workerId === 'number' ? fixed(checked(workerId)) : () => checked(workerId())
  let clock: SnowflakeClock = { ms: after_ms, sequence: idsInOneMs - 1 }
  return {
    get workerId() {
      return currentWorker()
    },
    get highest_ms() {
      return clock.ms
    },
    next() {
      const made = nextSnowflake(clock, now(), currentWorker())
      clock = made.clock
      return made.id
    },
    setAside(count) {
      currentWorker()
      const nowMs = now()
      const before = nowMs > clock.ms ? { ms: nowMs, sequence: -1 } : clock
      clock = advanced(before, count)
      return before
    },
  }
}

const fixed = (workerId: number) => (): number => workerId

function checked(workerId: number): number {
  if (Number.isInteger(workerId) && workerId >= 0 && workerId <= workerIdMax) return workerId
  throw new RangeError(`worker ids go from 0 to ${workerIdMax}, not ${workerId}`)
}

function advanced({ ms, sequence }: SnowflakeClock, count: number): SnowflakeClock {
  const last = sequence + count
  return { ms: ms + Math.floor(last / idsInOneMs), sequence: last % idsInOneMs }
}
