import { createHash, timingSafeEqual } from 'node:crypto'
import type { ReadyState } from '../../application/ports/readiness.js'

/** An answer of the status listener. */
export interface Page {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** What the process said last, and how long ago. */
export interface Heard {
  readonly state: ReadyState
  readonly silent_ms: number
}

/** A process that says nothing for so long can't say either what is out. */
export const stateAge_ms_max = 5000

/** 200 while the process lives, whatever it lacks; 503 once its event loop has stood for `silent_ms_max`. */
export function healthPage({ silent_ms }: Heard, silent_ms_max: number): Page {
  return silent_ms < silent_ms_max ? text(200, 'OK') : text(503, 'The event loop stands')
}

/** 200 where the process can do its work, 503 where it can't. Either way the body says what is out. */
export function readyPage({ state, silent_ms }: Heard): Page {
  const isHeard = silent_ms < stateAge_ms_max
  const told: ReadyState = isHeard ? state : { ...state, ready: false, missing: [...state.missing, 'event loop'] }
  return { status: told.ready ? 200 : 503, type: 'application/json', body: JSON.stringify(told) }
}

export function text(status: number, body: string): Page {
  return { status, type: 'text/plain', body }
}

/** Whether a request shows the token behind Bearer, in a time that tells nothing of where the two differ. */
export function showsToken(authorization: string | undefined, token: string): boolean {
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest()
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))
}
