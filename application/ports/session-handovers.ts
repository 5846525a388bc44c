/** A session that takes the place of another one (reference identity 6.2 and 6.6). */
export interface SessionHandover {
  /** base64url SHA-256 of the token of the session that ends. */
  readonly fromTokenHash: string
  readonly toTokenHash: string
  /** The new token itself: it is told to the client that made the change, and written down nowhere. */
  readonly token: string
  /** The network address that the change was made from; null where that is not known, and nobody is told then. */
  readonly address: string | null
}

/** Lets the connections of a client go on with the session that takes the place of theirs. */
export interface SessionHandovers {
  /**
   * Told just before the events are written: once the earlier session has ended, those of its Gateway connections that come
   * from where the change was made are told the new token, and the others are closed with 4004. Forgotten after a minute, where
   * nothing comes of it.
   */
  expect(handover: SessionHandover): void
}
