import type { AccountId } from '../../../domain/ids/ids.ts'
import { limitsOfAccount } from '../../access/limits-of-account.ts'
import { rejectWith } from '../../commands/refused.ts'
import type { Counted } from '../../ports/reservations.ts'
import { unlimited } from '../../access/unlimited.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'limits' | 'queries' | 'reservations'>

/** Runs an act that adds an account to one more group whatever the limit, and counts it nevertheless. */
export function countedAmongGroups(
  ports: Pick<Needs, 'queries' | 'reservations'>,
  account: AccountId,
  act: () => Promise<void>,
): Promise<void> {
  return ports.reservations.within([{ ...groupsOf(ports, account), ...unlimited }], act)
}

/**
 * Runs an act that adds accounts to one more group, if each of them may be in one more: else 400 MAX_GROUP_DMS with
 * max_group_dms. The act resolves once the read models hold what it wrote.
 */
export async function withinAccountsGroups(
  ports: Needs,
  accounts: readonly AccountId[],
  act: () => Promise<void>,
): Promise<void> {
  return ports.reservations.within(await Promise.all(accounts.map((account) => groupsWithin(ports, account))), act)
}

async function groupsWithin(ports: Needs, account: AccountId): Promise<Counted> {
  const { max_group_dms_per_user: limit } = await limitsOfAccount(ports, account)
  const refuse = (): never => rejectWith('MAX_GROUP_DMS', { max_group_dms: limit })
  return { ...groupsOf(ports, account), limit, refuse }
}

function groupsOf({ queries }: Pick<Ports, 'queries'>, account: AccountId) {
  return { key: `groups of account ${account}`, count: () => queries.privateChannels.groupCountOf(account) }
}
