/** A session that replaces another one. */
export interface SessionHandover {
  /** base64url SHA-256 of the token of the session that ends. */
  readonly fromTokenHash: string
  readonly toTokenHash: string
  /** The new token itself. Only the client that made the change gets it; it is stored nowhere. */
  readonly token: string
  /** The network address of the client that made the change; null if unknown, and then nobody gets the token. */
  readonly address: string | null
}

/** Lets a client's connections continue under the session that replaces theirs. */
export interface SessionHandovers {
  /**
   * Called just before the events are written, which may still be refused. Once an event says that the new session replaces the
   * earlier one, its Gateway connections from the address of the change get the new token; the others are closed with 4004.
   * Dropped after a minute without such an event.
   */
  expect(handover: SessionHandover): void
}
