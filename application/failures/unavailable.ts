import type { Part } from '../ports/parts.ts'

/**
 * Something that the answer needs is out right now and may be back in a moment: HTTP answers 503 SERVICE_UNAVAILABLE. Adapters
 * throw their own subclasses.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
  /** The part that is out, by the name that operators know. */
  readonly part: Part = 'other'
}
