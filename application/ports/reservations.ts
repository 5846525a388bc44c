/**
 * Keeps limits that span aggregates exact under any race, such as MAX_GUILDS. The count comes from a read model, which includes
 * an act only after it is done. Every act that adds to a count goes through here.
 */
export interface Reservations {
  /**
   * Reserves a place below the limit and runs `act` in it. `key` names what is counted; `count` reads how many there are now;
   * `act` resolves once the read model counts it. Gives undefined, without acting, where the limit is reached.
   */
  within<Result>(
    key: string,
    limit: number,
    count: () => Promise<number>,
    act: () => Promise<Result>,
  ): Promise<Result | undefined>
}
