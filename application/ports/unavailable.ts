/**
 * Something that the answer depends on can't be had right now, and may be a moment later: HTTP answers 503
 * SERVICE_UNAVAILABLE. Adapters throw a subclass of their own.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
}
