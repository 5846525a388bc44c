/** The parts of an instance that can be out. `disk`: of whoever stores; `requests`: more come than can be answered. */
export type Part =
  | 'postgres'
  | 'event store'
  | 'disk'
  | 'nats'
  | 'read models'
  | 'image store'
  | 'passwords'
  | 'locks'
  | 'rate limits'
  | 'worker ids'
  | 'admission room'
  | 'requests'
  | 'other'

/**
 * Something that the answer depends on can't be had right now, and may be a moment later: HTTP answers 503
 * SERVICE_UNAVAILABLE. Adapters throw a subclass of their own.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
  /** What can't be had, as an operator knows it. */
  readonly part: Part = 'other'
}
