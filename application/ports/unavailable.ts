/**
 * The parts of an instance that can be out. `disk`: the disk of any part that stores data. `requests`: more requests arrive than
 * can be answered.
 */
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
  | 'process register'
  | 'admission room'
  | 'requests'
  | 'other'

/**
 * Something that the answer needs is out right now and may be back in a moment: HTTP answers 503 SERVICE_UNAVAILABLE. Adapters
 * throw their own subclasses.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
  /** The part that is out, by the name that operators know. */
  readonly part: Part = 'other'
}
