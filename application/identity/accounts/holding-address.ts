import type { AccountId } from '../../../domain/ids/ids.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

/**
 * Runs a change of an account's e-mail address while no other one runs. A change releases the previous address in the end, which
 * another change could have made the account's again. Refuses with CONFLICT if another change does not end in time.
 */
export async function holdingAddress<Result>(
  { locks }: Pick<Ports, 'locks'>,
  accountId: AccountId,
  change: () => Promise<Result>,
): Promise<Result> {
  const done = await locks.holding(`address of account ${accountId}`, change)
  return done ? done.result : reject('CONFLICT')
}
