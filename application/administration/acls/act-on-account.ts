import type { WithoutAcls } from '../../../domain/account/standing-commands.ts'
import type { Account } from '../../../domain/account/state.ts'
import { actsOnAccounts, type ActOnAccount, type TakingAct } from '../../../domain/admin/acts-on-accounts.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { queuedIfAdministrator, requireAnotherHolder, type AclQueueNeeds } from '../../access/acl-queue.ts'
import { reject } from '../../commands/refused.ts'
import { requireGrantable, type ActingAdmin, type GrantableNeeds } from './require-grantable.ts'

export type ActNeeds = AclQueueNeeds & GrantableNeeds

/** Whether an act leaves the account as it is without the use of its ACLs. */
export type Closes = (account: Account) => boolean

const never: Closes = () => false

/**
 * Runs an act that takes something from an account, as `actsOnAccounts` says, if the caller may do it to this one. From
 * an account without ACLs, every holder of the operation's ACL may take it. Refuses as `requireMayAct`. An operator at
 * the command line may do everything.
 */
export async function actOnAccount<Result>(
  needs: ActNeeds,
  by: ActingAdmin,
  target: AccountId,
  { act, closes = never }: { readonly act: TakingAct; readonly closes?: Closes },
  run: (guard: WithoutAcls) => Promise<Result>,
): Promise<Result> {
  if (by.credential.kind === 'command_line') return run({})
  return queuedIfAdministrator(needs, target, (account) => requireMayAct(needs, by, account, act, closes(account)), run)
}

/**
 * Refuses with ACCESS_DENIED an act that closes the caller's own account; with UNAUTHORIZED, MISSING_PERMISSIONS or MISSING_ACL
 * unless the acting credential holds every ACL of the account; and with ACCESS_DENIED an act that closes the last account that can
 * use `*`, or takes that ACL from it. Call it inside `inAclQueue`.
 */
export async function requireMayAct(
  needs: Omit<ActNeeds, 'locks'>,
  by: ActingAdmin,
  account: Account,
  act: TakingAct,
  isClosing: boolean,
): Promise<void> {
  const { acl, reaches }: ActOnAccount = actsOnAccounts[act]
  if (reaches !== 'everybody') {
    if (isClosing && account.id === by.account.id) reject('ACCESS_DENIED')
    await requireGrantable(needs, by, account.acls, acl)
  }
  if (isClosing) await requireAnotherHolder(needs, account, by.context.now)
}
