import type { Account, PendingDeletion } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import { bestEffort } from '../../commands/best-effort.ts'
import { causeOf, type CommandContext } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import { changedUser, type ChangedUserNeeds } from './target-account.ts'

/** The account, and the deletion that was pending; null for a repeated command, which finds it cancelled. */
export interface CancelledDeletion {
  readonly user: AdminUserObject
  readonly cancelled: PendingDeletion | null
}

type Needs = ChangedUserNeeds & Pick<Ports, 'deferred' | 'mail'>

/**
 * Cancels the deletion that is due at an instant, the holder's own too, and mails the holder if that is wished. Refuses
 * with UNKNOWN_USER, NO_PENDING_DELETION, and CONFLICT if another deletion is pending or the erasure has begun.
 * Subscriptions of store B that were revoked with a refund stay revoked: the mail says so. See
 * rules/administration#scheduled-deletions.
 */
export function cancelDeletion(ports: Needs) {
  return async (
    caller: Caller,
    target: AccountId,
    { dueAt, notifiesHolder }: { readonly dueAt: Timestamp; readonly notifiesHolder: boolean },
  ): Promise<CancelledDeletion> => {
    const { context } = caller
    const { state: before } = await ports.aggregates.account.load(target)
    const { state } = await ports.aggregates.account.execute(target, { type: 'CancelDeletion', dueAt }, context)
    if (notifiesHolder && state.status === 'registered')
      await bestEffort(ports, () => mailHolder(ports, state, context))
    const user = await changedUser(ports, caller, target)
    return { user, cancelled: before.status === 'registered' ? before.deletion : null }
  }
}

async function mailHolder(
  { mail }: Pick<Ports, 'mail'>,
  { id: accountId, email, username, locale, premium }: Account,
  context: CommandContext,
): Promise<void> {
  if (email === null) return
  const template = 'account_deletion_cancelled'
  const hasSubscriptions = premium.purchases.some(({ kind }) => kind === 'subscription')
  const values = { username, ...(hasSubscriptions && { hasSubscriptions }) }
  const key = `${template} ${context.commandId}`
  await mail.send({ accountId, to: email, template, values, locale, key, cause: causeOf(context) })
}
