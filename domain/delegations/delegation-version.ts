/** What is given under a number of its account's delegations: docs/what-ends-access.md. */
interface Given {
  readonly delegationVersion: number
}

/** The member of an event that has the number; it is absent for 0, the number of accounts that have never ended their delegations. */
export function underVersion({ delegationVersion }: Given): { readonly delegationVersion?: number } {
  return delegationVersion === 0 ? {} : { delegationVersion }
}

/**
 * Whether the account has ended its delegations since a command's request read it, and has given this one again. Then the command is
 * refused with UNAUTHORIZED: what an older request gives must not replace what a newer one gave.
 */
export function isGivenSince(given: Given, command: Given): boolean {
  return given.delegationVersion > command.delegationVersion
}
