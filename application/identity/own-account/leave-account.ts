import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { queuedIfAdministrator, requireAnotherHolder, type AclQueueNeeds } from '../../access/acl-queue.ts'
import { bySession } from '../../access/by-session.ts'
import { ownsGuild } from '../../access/owns-guild.ts'
import { ownAccountState } from '../accounts/own-account-state.ts'
import type { Caller } from '../../caller.ts'
import { causeOf } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

/** How long the holder can cancel the deletion of the account. */
export const deletionDelay_s = 336 * 3600

/** Disables the caller's account and ends all its sessions; signing in enables it again. See rules/users#disable. */
export function disableOwnAccount({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ account, credential, context }: Caller): Promise<void> => {
    await aggregates.account.execute(account.id, { type: 'DisableAccount', ...bySession({ credential }) }, context)
  }
}

/**
 * Schedules the deletion of the caller's account, ends all its sessions and mails the date; signing in before then
 * cancels the deletion. Refuses with USER_OWNS_GUILDS, and with ACCESS_DENIED for the last account that can use the ACL
 * `*`. See rules/users#delete.
 */
export function deleteOwnAccount(ports: AclQueueNeeds & Pick<Ports, 'aggregates' | 'mail' | 'queries'>) {
  return async (caller: Caller): Promise<void> => {
    const { context } = caller
    const { id, email, username, locale } = await ownAccountState(ports, caller)
    if (await ownsGuild(ports, id)) reject('USER_OWNS_GUILDS')
    const dueAt = secondsAfter(context.now, deletionDelay_s)
    await queuedIfAdministrator(
      ports,
      id,
      (own) => requireAnotherHolder(ports, own, context.now),
      (guard) => {
        const schedule = { type: 'ScheduleSelfDeletion', dueAt, ...guard, ...bySession(caller) } as const
        return ports.aggregates.account.execute(id, schedule, context)
      },
    )
    if (email === null) return
    const key = `deletion ${context.commandId}`
    await ports.mail.send({
      accountId: id,
      to: email,
      template: 'account_deletion_scheduled',
      values: { username, dueAt },
      locale,
      key,
      cause: causeOf(context),
    })
  }
}
