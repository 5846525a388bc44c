import { pairId, type AccountId } from '../../../domain/ids/ids.js'
import type { RemoveByKind } from '../../../domain/relationship/commands.js'
import type { Caller } from '../../caller.js'
import { reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'
import { relationshipTypes, type RelationshipType } from '../../ports/queries/relationship-queries.js'
import { requireTarget } from './require-target.js'

/** Contract part 3, Relationship categories. */
export const relationshipCategories = ['friend', 'incoming_request', 'outgoing_request', 'blocked'] as const

export type RelationshipCategory = (typeof relationshipCategories)[number]

type Names = Readonly<
  Record<RelationshipCategory, { readonly kind: RemoveByKind['kind']; readonly type: RelationshipType }>
>

/** What a category is called by the aggregate and in the read model. */
const names: Names = {
  friend: { kind: 'friend', type: relationshipTypes.friend },
  incoming_request: { kind: 'incoming', type: relationshipTypes.incomingRequest },
  outgoing_request: { kind: 'outgoing', type: relationshipTypes.outgoingRequest },
  blocked: { kind: 'blocked', type: relationshipTypes.blocked },
}

/**
 * Removes an account's relationship to another, if it is of this category. Friendships and requests end for both accounts, a
 * block for the account alone. Refuses with UNKNOWN_USER for a missing account or relationship. Contract part 3, Remove one user
 * relationship.
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
 * Removes all of an account's relationships of a category, one after another, and gives how many. Refuses with UNKNOWN_USER. If
 * one fails, the earlier ones stay removed and the answer is 500. Contract part 3, Remove user relationships by category.
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
      if (type !== names[category].type) continue
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
    const command = { type: 'RemoveByKind', accountId, otherId, kind: names[category].kind } as const
    const { appended_count } = await aggregates.relationship.execute(pairId(accountId, otherId), command, context)
    return appended_count > 0
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
