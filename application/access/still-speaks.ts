import type { AccountRecord } from '../ports/queries/account-queries.ts'

/**
 * Whether a delegation still speaks for its account: not if the account has ended all its delegations since. Everything
 * that accepts one asks this, or compares the same two numbers in its query: authorisations with their codes and
 * tokens, tokens of bots with those of their application's owner, Admin keys, and links to archives.
 * docs/what-ends-access.md.
 */
export function stillSpeaks(
  account: Pick<AccountRecord, 'delegationVersion'>,
  { delegationVersion }: { readonly delegationVersion: number },
): boolean {
  return account.delegationVersion === delegationVersion
}
