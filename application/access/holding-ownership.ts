import type { AccountId } from '../../domain/ids/ids.ts'
import { reject } from '../commands/refused.ts'
import type { Ports } from '../ports.ts'

/**
 * Runs `act` while holding a lock on the account. Making an account the owner of a guild and starting its erasure each read what
 * the other one writes. The lock prevents a guild whose owner is erased. The act that makes an owner releases the lock once the
 * read models hold the change. Refuses with RESOURCE_LOCKED when other holders do not release the lock.
 */
export async function holdingOwnership<Result>(
  { locks }: Pick<Ports, 'locks'>,
  accountId: AccountId,
  act: () => Promise<Result>,
): Promise<Result> {
  const done = await locks.holding(`ownership of account ${accountId}`, act)
  return done ? done.result : reject('RESOURCE_LOCKED')
}
