export interface HttpBounds {
  /** Requests that may be at work at once; one more gets 503. */
  readonly inFlight_max: number
  /** How long requests that are at work may go on once the server drains. */
  readonly drain_ms_max: number
  /** From the first byte of a request to its last. */
  readonly request_ms_max: number
  readonly headers_ms_max: number
  /** How long a connection may be idle between requests. */
  readonly idle_ms_max: number
}

export const httpBounds: HttpBounds = {
  inFlight_max: 1000,
  drain_ms_max: 10_000,
  request_ms_max: 60_000,
  headers_ms_max: 15_000,
  idle_ms_max: 65_000,
}
