/** A count that an act adds to, and its limit. */
export interface Counted {
  /** Names what is counted. */
  readonly key: string
  readonly limit: number
  /** Reads how many there are now. */
  readonly count: () => Promise<number>
  /** Refuses the act where the limit is reached. */
  readonly refuse: () => never
}

/**
 * Keeps limits that span aggregates exact under any race, such as MAX_GUILDS. The count comes from a read model, which includes
 * an act only after it is done. Every act that adds to a count goes through here.
 */
export interface Reservations {
  /**
   * Makes a reservation below the limit of each count and runs `act` under them. `act` resolves once the read models count it. Rejects
   * with the refusal of the first count, in the order given, whose limit is reached; then nothing is acted.
   */
  within<Result>(counts: readonly Counted[], act: () => Promise<Result>): Promise<Result>
}
