import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Executed } from '../../aggregates/earlier-try.ts'
import type { Ports } from '../../ports.ts'
import { changesUser } from '../../wire-objects/identity/user-changes.ts'

export type ReminderNeeds = Pick<Ports, 'reminders'>

/**
 * Sends User Update to an account's sessions if no event of some commands does. For operations whose text has User Update
 * without a condition.
 */
export function tellAnyway(
  { reminders }: ReminderNeeds,
  accountId: AccountId,
  done: readonly Pick<Executed<unknown>, 'appended'>[],
): void {
  const isTold = done.some(({ appended }) => appended.some(({ type }) => changesUser(type)))
  if (!isTold) reminders.remind({ accountId, of: 'user' })
}
