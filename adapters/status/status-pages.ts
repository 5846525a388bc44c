import { createHash, timingSafeEqual } from 'node:crypto'
import type { ReadyState } from '../../application/ports/readiness.ts'

/** An answer of the status listener. */
export interface Page {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** What the process reported last, and how long ago. */
export interface Heard {
  readonly state: ReadyState
  readonly silent_ms: number
}

/** A process that is silent for this long can't tell which dependency is out either. */
export const stateAge_ms_max = 5000

/** 200 while the process lives, even without its dependencies; 503 once its event loop has been blocked for `silent_ms_max`. */
export function healthPage({ silent_ms }: Heard, silent_ms_max: number): Page {
  return silent_ms < silent_ms_max ? text(200, 'OK') : text(503, 'The event loop stands')
}

/** 200 if the process can do its work, otherwise 503. Either way the body says which dependency is out. */
export function readyPage({ state, silent_ms }: Heard): Page {
  const isHeard = silent_ms < stateAge_ms_max
  const told: ReadyState = isHeard ? state : { ...state, ready: false, missing: [...state.missing, 'event loop'] }
  return { status: told.ready ? 200 : 503, type: 'application/json', body: JSON.stringify(told) }
}

export function text(status: number, body: string): Page {
  return { status, type: 'text/plain', body }
}

/** Whether a request has the Bearer token. Takes constant time, which does not reveal where the two differ. */
export function showsToken(authorization: string | undefined, token: string): boolean {
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest()
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))
}
