import type { About, Outage, Outages } from '../ports/outages.ts'
import type { Part } from '../ports/parts.ts'
import { partOf } from './part-of.ts'

/** The log that outages are written to. */
export interface OutageLog {
  warn(entry: object, message: string): void
  debug(entry: object, message: string): void
  isLevelEnabled(level: string): boolean
}

export interface OutagesSettings {
  readonly log: OutageLog
  /** Milliseconds of a clock that never steps back. */
  readonly now_ms?: () => number
}

export interface OpenOutages extends Outages {
  /** Ends every current outage for this process. */
  close(): void
}

/** An outage is over once nothing has failed for this long. */
export const quiet_ms = 5000
const look_ms = 500

interface Going {
  readonly since: Date
  readonly first_ms: number
  newest_ms: number
  failures: number
}

/** Starts with no part out. */
export function openOutages({ log, now_ms = () => performance.now() }: OutagesSettings): OpenOutages {
  const going = new Map<Part, Going>()
  let looks: NodeJS.Timeout | undefined

  function note(part: Part, about: About): Going {
    const known = going.get(part)
    if (known) {
      known.newest_ms = now_ms()
      return known
    }
    const begun = { since: new Date(), first_ms: now_ms(), newest_ms: now_ms(), failures: 0 }
    going.set(part, begun)
    log.warn({ ...about(), part }, 'an outage begins')
    looks ??= setInterval(look, look_ms).unref()
    return begun
  }

  function end(part: Part, { first_ms, newest_ms, failures }: Going): void {
    going.delete(part)
    log.warn({ part, lasted_s: Math.round((newest_ms - first_ms) / 100) / 10, failures }, 'an outage is over')
  }

  function look(): void {
    for (const [part, outage] of going) if (now_ms() - outage.newest_ms >= quiet_ms) end(part, outage)
    if (going.size === 0) rest()
  }

  function rest(): void {
    clearInterval(looks)
    looks = undefined
  }

  const outages: OpenOutages = {
    get current(): readonly Outage[] {
      return [...going].map(([part, { since, first_ms, newest_ms }]) => ({
        part,
        since,
        failing_ms: newest_ms - first_ms,
      }))
    },
    failed(error, about) {
      const part = partOf(error)
      if (part !== undefined) outages.count(part, about)
      return part !== undefined
    },
    count(part, about) {
      note(part, about).failures += 1
      if (log.isLevelEnabled('debug')) log.debug({ ...about(), part }, 'failed because of an outage')
    },
    lasts: (part, about) => void note(part, about),
    close() {
      for (const [part, outage] of going) end(part, outage)
      rest()
    },
  }
  return outages
}
