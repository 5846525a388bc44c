import { isClosedAt } from '../../domain/account/decisions/decide-admission.ts'
import { hasFlag } from '../../domain/account/flags.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { Caller } from '../caller.ts'
import { reject } from '../commands/refused.ts'
import type { AccountRecord } from '../ports/queries/account-queries.ts'

/**
 * Whether somebody holds the account: it has a password or an identity at a provider. A bot counts as claimed, so
 * nobody can claim it.
 */
export function isClaimed(account: AccountRecord): boolean {
  return account.hasPassword || account.hasSingleSignOn || account.bot
}

/** Whether the account is erased or closed. Nothing that acts for it works then. */
export function isClosed(account: AccountRecord, now: Timestamp): boolean {
  return account.isErased || isClosedAt(account, now)
}

/** Refuses with ACCOUNT_LIMITED an account that an administrator has limited. */
export function requireUnlimited({ account }: Pick<Caller, 'account'>): void {
  if (hasFlag(account, 'ACCOUNT_LIMITED')) reject('ACCOUNT_LIMITED')
}
