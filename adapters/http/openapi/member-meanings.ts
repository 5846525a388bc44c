import { accountMeanings } from './meanings/accounts.ts'
import { administrationMeanings } from './meanings/administration.ts'
import { communityMeanings } from './meanings/communities.ts'
import { conversationMeanings } from './meanings/conversations.ts'
import { instanceMeanings } from './meanings/instance.ts'

/**
 * What the members of bodies and queries mean, where name, type and bounds do not say it: unit, meaning, and what null and
 * absence stand for. By the name of the member, since a name means the same everywhere; where it does not, by the name of what
 * it belongs to as well: the name of the operation, or the member that holds it. The members of answers say it themselves.
 */
export const memberMeanings: ReadonlyMap<string, string> = new Map(
  [accountMeanings, administrationMeanings, communityMeanings, conversationMeanings, instanceMeanings].flatMap(
    (meanings) => Object.entries(meanings),
  ),
)

/** What a member means by its name alone. What null stands for is left out where the member cannot be null. */
export function meaningOf(name: string, canBeNull: boolean): string | undefined {
  const meaning = memberMeanings.get(name)
  if (canBeNull || meaning === undefined) return meaning
  const clauses = meaning.split(/(?<=[.;]) /).filter((clause) => !/\bnull\b/i.test(clause))
  return clauses.length === 0 ? undefined : clauses.join(' ').replace(/;$/, '.')
}
