/**
 * Keeps limits that span aggregates exact under any race, such as MAX_GUILDS. The count comes from a read model, which includes
 * an act only after it is done. Every act that adds to a count goes through here.
 */
export interface AdmissionRoom {
  /**
   * Runs `act` if there is room for one more. `key` names what is counted, `count` reads the current number, and `act` resolves
   * once the read model includes it. If the limit is reached, gives undefined and does not act.
   */
  within<Result>(
    key: string,
    limit: number,
    count: () => Promise<number>,
    act: () => Promise<Result>,
  ): Promise<Result | undefined>
}
