import { hasClosingFlag, hasFlag } from '../../domain/account/flags.js'
import type { Caller } from '../caller.js'
import { reject } from '../commands/refused.js'
import type { AccountRecord } from '../ports/queries/account-queries.js'

/**
 * Whether somebody holds the account: it has a password or an identity at a provider. A bot counts as claimed, so nobody can
 * claim it (reference identity 6.2).
 */
export function isClaimed(account: AccountRecord): boolean {
  return account.hasPassword || account.hasSingleSignOn || account.bot
}

/** Whether nobody can sign in to the account, now or ever. Nothing that acts for a closed account works. */
export function isClosed(account: AccountRecord): boolean {
  return account.isErased || hasClosingFlag(account)
}

/** Refuses a limited account with 403 ACCOUNT_LIMITED (contract part 1, States and transitions). */
export function requireUnlimited({ account }: Pick<Caller, 'account'>): void {
  if (hasFlag(account, 'ACCOUNT_LIMITED')) reject('ACCOUNT_LIMITED')
}
