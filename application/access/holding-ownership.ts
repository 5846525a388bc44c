import type { AccountId } from '../../domain/ids/ids.js'
import { reject } from '../commands/refused.js'
import type { Ports } from '../ports.js'

/**
 * Runs `act` while no other holder of the same account runs: who makes an account the owner of a guild and who begins to erase it
 * read what the other one writes, and a guild must not come to be owned by nobody. Who makes it an owner lets go once the read models
 * hold it. Refuses with RESOURCE_LOCKED where others do not let go of it.
 */
export async function holdingOwnership<Result>(
  { locks }: Pick<Ports, 'locks'>,
  accountId: AccountId,
  act: () => Promise<Result>,
): Promise<Result> {
  const done = await locks.holding(`ownership of account ${accountId}`, act)
  return done ? done.result : reject('RESOURCE_LOCKED')
}
