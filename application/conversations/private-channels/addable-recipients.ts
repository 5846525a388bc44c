import type { AccountId } from '../../../domain/ids/ids.ts'
import { callers as permissionFlags } from '../../../domain/user-settings/settings.ts'
import { rejectWith } from '../../commands/refused.ts'
import type { Relationship } from '../../ports/queries/relationship-queries.ts'
import { relationshipTypes } from '../../../domain/relationship/relationship-types.ts'
import type { Ports } from '../../ports.ts'

/** Why an account can't be added to a group: what GROUP_DM_RECIPIENTS_NOT_ADDABLE says of it. */
export type UnaddableReason = 'unknown_user' | 'not_friends' | 'blocked' | 'group_dm_add_disabled'

type Needs = Pick<Ports, 'queries'>

/** The accounts that an account can't add to a group, each with the reason. */
export async function unaddableAmong(
  { queries }: Needs,
  accountId: AccountId,
  others: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, UnaddableReason>> {
  const records = await queries.accounts.findMany(others)
  const standing = new Set(records.filter(({ isErased }) => !isErased).map(({ id }) => id))
  const relationships = await queries.relationships.among(accountId, others)
  const reasons = new Map<AccountId, UnaddableReason>()
  for (const other of others) {
    const between = relationships.filter(({ ownerId, otherId }) => ownerId === other || otherId === other)
    const reason = standing.has(other) ? await reasonBy({ queries }, other, between) : 'unknown_user'
    if (reason) reasons.set(other, reason)
  }
  return reasons
}

async function reasonBy(
  { queries }: Needs,
  other: AccountId,
  between: readonly Relationship[],
): Promise<UnaddableReason | undefined> {
  if (between.some(({ type }) => type === relationshipTypes.blocked)) return 'blocked'
  if (!between.some(({ type }) => type === relationshipTypes.friend)) return 'not_friends'
  const chosen = await queries.userSettings.find(other)
  const flags = chosen?.groupDmAddPermissionFlags ?? permissionFlags.FRIENDS_ONLY
  return (flags & permissionFlags.NOBODY) === 0 ? undefined : 'group_dm_add_disabled'
}

/** Refuses with 400 GROUP_DM_RECIPIENTS_NOT_ADDABLE, naming who can't be added and why, and who could. */
export async function requireAddable(ports: Needs, accountId: AccountId, others: readonly AccountId[]): Promise<void> {
  const unaddable = await unaddableAmong(ports, accountId, others)
  if (unaddable.size === 0) return
  rejectWith('GROUP_DM_RECIPIENTS_NOT_ADDABLE', {
    unaddable_recipients: [...unaddable].map(([user_id, reason]) => ({ user_id, reason })),
    addable_recipients: others.filter((id) => !unaddable.has(id)),
  })
}
