import { userInfo } from 'node:os'
import type { AccountRecord } from '../../application/ports/queries/account-queries.ts'
import { deletedAccount } from '../../application/wire-objects/identity/deleted-account.ts'
import { systemAccountId } from '../../domain/account/system-account.ts'

/** The operator as a caller of use cases, with every ACL. */
export const operatorAccount: AccountRecord = { ...deletedAccount(systemAccountId), acls: ['*'] }

/** The operator's name on this machine, for the admin audit log; `unknown` for a user without a name, as in some containers. */
export function operatorName(): string {
  try {
    return userInfo().username
  } catch (error) {
    // The system has no entry for the user.
    if (error instanceof Error && 'code' in error) return 'unknown'
    throw error
  }
}
