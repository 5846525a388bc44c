import { pairId, type AccountId } from '../../../domain/ids/ids.ts'
import type { RemoveByKind } from '../../../domain/relationship/commands.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { categoryOf, type RelationshipCategory } from '../../wire-objects/administration/admin-relationship-object.ts'
import { requireTarget } from './target-account.ts'

/** What the aggregate calls a category. */
const kinds: Readonly<Record<RelationshipCategory, RemoveByKind['kind']>> = {
  friend: 'friend',
  incoming_request: 'incoming',
  outgoing_request: 'outgoing',
  blocked: 'blocked',
}

/**
 * Removes an account's relationship to another, if it is of this category. Friendships and requests end for both
 * accounts, a block for the account alone. Refuses with UNKNOWN_USER for a missing account or relationship. See
 * rules/administration#relationships.
 */
export function removeOneRelationship(ports: Pick<Ports, 'aggregates'>) {
  return async (
    caller: Caller,
    target: AccountId,
    otherId: AccountId,
    category: RelationshipCategory,
  ): Promise<void> => {
    await requireTarget(ports, target)
    const isRemoved = await removal(ports, caller, target, category)(otherId)
    if (!isRemoved) reject('UNKNOWN_USER')
  }
}

/**
 * Removes all of an account's relationships of a category, one after another, and gives how many. Refuses with
 * UNKNOWN_USER. If one fails, the earlier ones stay removed and the answer is 500. See rules/administration#relationships.
 */
export function removeRelationships(ports: Pick<Ports, 'aggregates' | 'queries'>) {
  return async (
    caller: Caller,
    target: AccountId,
    category: RelationshipCategory,
  ): Promise<{ readonly removed_count: number }> => {
    await requireTarget(ports, target)
    const held = await ports.queries.relationships.ofAccount(target)
    const remove = removal(ports, caller, target, category)
    let removed_count = 0
    for (const { otherId, type } of held) {
      if (categoryOf[type] !== category) continue
      const isRemoved = await orFailPartway(() => remove(otherId))
      removed_count += isRemoved ? 1 : 0
    }
    return { removed_count }
  }
}

/** Removes the relationship to one account. Resolves to whether there was one of the category. */
function removal(
  { aggregates }: Pick<Ports, 'aggregates'>,
  { context }: Caller,
  accountId: AccountId,
  category: RelationshipCategory,
) {
  return async (otherId: AccountId): Promise<boolean> => {
    const command = { type: 'RemoveByKind', accountId, otherId, kind: kinds[category] } as const
    const { appended } = await aggregates.relationship.execute(pairId(accountId, otherId), command, context)
    return appended.length > 0
  }
}

/** Runs one of several removals. An error becomes an unexpected one, which is answered with 500 whatever it was. */
async function orFailPartway<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    throw new Error('A relationship was not removed; earlier ones may be', { cause: error })
  }
}
