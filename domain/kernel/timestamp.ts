declare const timestampBrand: unique symbol

/** An instant: ISO 8601 in UTC with milliseconds and `Z`, so that comparing the texts compares the instants. */
export type Timestamp = string & { readonly [timestampBrand]: true }

/** The instant that is `ms` milliseconds after the Unix epoch. */
export function timestamp(ms: number): Timestamp {
  return new Date(ms).toISOString() as Timestamp
}

/**
 * Whether what lasts until `end` is over. Every interval is half-open: at the instant of its end it is over, so that what is computed
 * at that very instant, as the answer to what ended it, is what is true from then on.
 */
export function hasEnded(end: Timestamp, now: Timestamp): boolean {
  return end <= now
}

/** Milliseconds since the Unix epoch. */
export function msOf(instant: Timestamp): number {
  return Date.parse(instant)
}

/** The instant `seconds` after another. */
export function secondsAfter(instant: Timestamp, seconds: number): Timestamp {
  return timestamp(msOf(instant) + seconds * 1000)
}
