/** Where an address is, as far as a look-up says. */
export interface Located {
  /** For people, such as `Berlin, Germany`; null if nothing is known. */
  readonly location: string | null
  /** Whether the look-up itself failed, so that nothing follows from `location`. */
  readonly failed: boolean
}

/**
 * What the outside world says of the addresses of clients. Only an administrator who may see an address has it looked
 * up.
 */
export interface NetworkLookups {
  /** The host name of an address; null without one, or if no name server answers in time. */
  hostName(address: string): Promise<string | null>
  /** Where no database of locations is configured, nothing is known and nothing has failed. */
  location(address: string): Promise<Located>
}
