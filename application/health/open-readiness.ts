import type { Outages } from '../ports/outages.ts'
import type { ReadyState } from '../ports/readiness.ts'
import type { Part } from '../ports/parts.ts'
import { answeredInTime, NoAnswer } from './answered-in-time.ts'

/** A part whose availability is checked again and again. */
export interface Check {
  readonly part: Part
  /** Whether the process cannot work without it. */
  readonly isNeeded: boolean
  /** The time limit of one check, in milliseconds; `check_ms_max` by default. After it the part counts as out. */
  readonly answer_ms_max?: number
  /** Resolves if the part can be used. */
  ask(): Promise<unknown>
}

export interface ReadinessSettings {
  readonly checks: readonly Check[]
  readonly outages: Outages
}

export interface Readiness {
  state(): ReadyState
  close(): void
}

export const check_ms_max = 2000
const every_ms = 2000
const hanging_ms_max = 15_000
const again_ms = 1000
const everyWhileOut_ms = 500
/** When requests have failed for this long without a break, the part counts as out, even if checks succeed. */
export const failing_ms_max = 5000
/** Checks say little about these parts: a node that answers reads may still fail writes. */
const toldByRequests: ReadonlySet<Part> = new Set(['event store'])

/** Checks each part every two seconds, and twice a second while it is out. Reports what it finds to the outages too. */
export function openReadiness({ checks, outages }: ReadinessSettings): Readiness {
  const out = new Set<Part>()
  const timers = new Map<Check, NodeJS.Timeout>()
  let isClosed = false

  /**
   * Whether an answer came in the end. While none comes, reports each second that the part is out. Rejects when the part does.
   */
  async function answers({ part, answer_ms_max = check_ms_max }: Check, asked: Promise<unknown>): Promise<boolean> {
    let wait_ms = answer_ms_max
    for (let waited_ms = 0; waited_ms < hanging_ms_max; waited_ms += wait_ms) {
      try {
        await answeredInTime(part, asked, wait_ms)
        return true
      } catch (error) {
        if (!(error instanceof NoAnswer) || isClosed) throw error
        note(part, error)
      }
      wait_ms = again_ms
    }
    return false
  }

  function note(part: Part, error: unknown): void {
    if (isClosed) return
    out.add(part)
    outages.lasts(part, () => ({ err: error }))
  }

  /** One check at a time. A check that hangs too long is given up. */
  async function look(check: Check): Promise<void> {
    try {
      if (await answers(check, check.ask())) out.delete(check.part)
    } catch (error) {
      note(check.part, error)
    }
    const next_ms = out.has(check.part) ? everyWhileOut_ms : every_ms
    if (!isClosed) timers.set(check, setTimeout(() => void look(check), next_ms).unref())
  }

  for (const check of checks) void look(check)
  return {
    state() {
      const found = (isNeeded: boolean): readonly Part[] =>
        checks.filter((check) => check.isNeeded === isNeeded && out.has(check.part)).map(({ part }) => part)
      const told = outages.current
        .filter(({ part, failing_ms }) => part === 'disk' || (toldByRequests.has(part) && failing_ms >= failing_ms_max))
        .map(({ part }) => part)
      const missing = [...new Set([...found(true), ...told])]
      return { ready: missing.length === 0, missing, without: found(false) }
    },
    close() {
      isClosed = true
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
