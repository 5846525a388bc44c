import type { AccountId } from '../../../domain/ids/ids.ts'
import { rejectWith } from '../../commands/refused.ts'
import type { LimitedAccount } from '../../ports/limits.ts'
import type { Counted } from '../../ports/reservations.ts'
import { unlimited } from '../../access/unlimited.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'limits' | 'queries' | 'reservations'>

/**
 * Runs an act that may give two accounts one more relationship each, if both may have one more: else 400 MAX_FRIENDS.
 * Friends, requests of both kinds and blocks all count. The act resolves once the read models hold what it wrote.
 *
 */
export async function withinRelationships<Result>(
  ports: Needs,
  accounts: readonly [LimitedAccount, LimitedAccount],
  act: () => Promise<Result>,
): Promise<Result> {
  return ports.reservations.within(
    await Promise.all(accounts.map((account) => relationshipsWithin(ports, account))),
    act,
  )
}

async function relationshipsWithin(ports: Needs, account: LimitedAccount): Promise<Counted> {
  const { max_relationships } = await ports.limits.ofAccount(account)
  const refuse = (): never => rejectWith('MAX_FRIENDS', { max_relationships })
  return { ...relationshipsOf(ports, account.id), limit: max_relationships, refuse }
}

/** Runs an act that may give an account one more relationship whatever the limit, and counts it nevertheless. */
export function countedAmongRelationships<Result>(
  ports: Pick<Needs, 'queries' | 'reservations'>,
  id: AccountId,
  act: () => Promise<Result>,
): Promise<Result> {
  return ports.reservations.within([{ ...relationshipsOf(ports, id), ...unlimited }], act)
}

function relationshipsOf({ queries }: Pick<Ports, 'queries'>, id: AccountId) {
  return { key: `relationships of account ${id}`, count: () => queries.relationships.countOf(id) }
}
