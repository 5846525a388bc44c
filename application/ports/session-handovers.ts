/** A session that takes the place of another one (reference identity 6.2 and 6.6). */
export interface SessionHandover {
  /** base64url SHA-256 of the token of the session that ends. */
  readonly fromTokenHash: string
  readonly toTokenHash: string
  /** The new token itself: it is told to whoever has the session that ends, and written down nowhere. */
  readonly token: string
}

/** Lets the connections of a session go on with the one that takes its place. */
export interface SessionHandovers {
  /**
   * Told just before the events are written: once the earlier session has ended, its Gateway connections are told the new
   * token. Forgotten after a minute, where nothing comes of it.
   */
  expect(handover: SessionHandover): void
}
