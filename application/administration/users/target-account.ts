import type { AccountCommand } from '../../../domain/account/commands.ts'
import type { WithoutAcls } from '../../../domain/account/standing-commands.ts'
import type { Account, AccountState } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { Executed } from '../../aggregates/earlier-try.ts'
import type { Caller } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import { tellAnyway, type ReminderNeeds } from '../../identity/accounts/tell-anyway.ts'
import type { Ports } from '../../ports.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import { readAdminUser, type AdminUserNeeds } from '../acls/read-admin-user.ts'

/**
 * The account that an administrator acts on, with its secrets: never show it. Refuses with UNKNOWN_USER for an account that does
 * not exist, or that is erased or being erased; as the command guarded by it, with CONFLICT for one that holds an ACL by now.
 */
export async function requireTarget(
  { aggregates }: { readonly aggregates: Pick<Ports['aggregates'], 'account'> },
  target: AccountId,
  { onlyWithoutAcls = false }: WithoutAcls = {},
): Promise<Account> {
  const { state } = await aggregates.account.load(target)
  if (state.status !== 'registered') return reject('UNKNOWN_USER')
  return onlyWithoutAcls && state.acls.length > 0 ? reject('CONFLICT') : state
}

/** The address of an account. Refuses with USER_DOES_NOT_HAVE_AN_EMAIL_ADDRESS on `email`. */
export function requireAddress({ email }: Pick<Account, 'email'>): string {
  return email ?? reject('INVALID_FORM_BODY', field('email', 'USER_DOES_NOT_HAVE_AN_EMAIL_ADDRESS'))
}

/** What `executeAndTell` needs. */
export type ExecutingNeeds = ReminderNeeds & { readonly aggregates: Pick<Ports['aggregates'], 'account'> }

/**
 * Executes one command of an administrator on an account. Its sessions get USER_UPDATE also if that leaves the account as it is
 * (rules/administration#accounts). Refuses as the command does.
 */
export async function executeAndTell(
  ports: ExecutingNeeds,
  target: AccountId,
  command: AccountCommand,
  context: CommandContext,
): Promise<Executed<AccountState>> {
  const done = await ports.aggregates.account.execute(target, command, context)
  tellAnyway(ports, target, [done])
  return done
}

/** What a use case that answers with the changed account needs. */
export type ChangedUserNeeds = AdminUserNeeds & ReminderNeeds & Pick<Ports, 'aggregates' | 'readModels'>

/** The account after the command, as the caller may see it. Refuses with UNKNOWN_USER if it is gone. */
export async function changedUser(
  ports: ChangedUserNeeds,
  caller: Caller,
  target: AccountId,
): Promise<AdminUserObject> {
  await ports.readModels.reached(caller.context.written)
  return (await readAdminUser(ports, caller, target)) ?? reject('UNKNOWN_USER')
}
