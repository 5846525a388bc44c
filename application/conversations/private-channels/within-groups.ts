import type { AccountId } from '../../../domain/ids/ids.js'
import { compareSnowflakes } from '../../../domain/ids/snowflake.js'
import { limitsOfAccount } from '../../access/limits-of-account.js'
import { rejectWith } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'

type Needs = Pick<Ports, 'limits' | 'queries' | 'reservations'>

/** Runs an act that adds an account to one more group whatever the limit, and counts it nevertheless. */
export async function countedAmongGroups(
  { queries, reservations }: Pick<Needs, 'queries' | 'reservations'>,
  account: AccountId,
  act: () => Promise<void>,
): Promise<void> {
  const count = (): Promise<number> => queries.privateChannels.groupCountOf(account)
  await reservations.within(groupsOf(account), Number.MAX_SAFE_INTEGER, count, act)
}

/**
 * Runs an act that adds accounts to one more group, if each of them may be in one more: else 400 MAX_GROUP_DMS with
 * max_group_dms. The act resolves once the read models hold what it wrote. Accounts are taken in the order of their
 * ids, so that acts with accounts in common never deadlock.
 */
export async function withinAccountsGroups(
  ports: Needs,
  accounts: readonly AccountId[],
  act: () => Promise<void>,
): Promise<void> {
  const [first, ...rest] = accounts.toSorted(compareSnowflakes)
  if (first === undefined) return act()
  const { max_group_dms_per_user: groups_max } = await limitsOfAccount(ports, first)
  const done = await ports.reservations.within(
    groupsOf(first),
    groups_max,
    () => ports.queries.privateChannels.groupCountOf(first),
    async () => {
      await withinAccountsGroups(ports, rest, act)
      return true
    },
  )
  if (done === undefined) rejectWith('MAX_GROUP_DMS', { max_group_dms: groups_max })
}

const groupsOf = (account: AccountId): string => `groups of account ${account}`
