import { compareHeirs, type HeirCandidate } from '../../../domain/guild/heir.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Membership } from '../../../domain/membership/state.ts'
import type { Ports } from '../../ports.ts'

/** How many members are read at once. */
const page_members = 1000

/**
 * The member who gets a guild when its owner is erased: the highest-ranked human (`compareHeirs`). Null if there is none besides
 * the owner: then the guild is deleted.
 */
export async function findHeir({ queries }: Pick<Ports, 'queries'>, guild: Guild): Promise<AccountId | null> {
  let heir: HeirCandidate | undefined
  let after: AccountId | undefined
  for (;;) {
    const page = await queries.members.page(guild.id, { limit: page_members, ...(after ? { after } : {}) })
    for (const candidate of await candidatesIn({ queries }, guild, page))
      if (!heir || compareHeirs(guild, candidate, heir) < 0) heir = candidate
    after = page.at(-1)?.accountId
    if (page.length < page_members) return heir?.accountId ?? null
  }
}

async function candidatesIn(
  { queries }: Pick<Ports, 'queries'>,
  { ownerId }: Guild,
  members: readonly Membership[],
): Promise<readonly HeirCandidate[]> {
  const accounts = await queries.accounts.findMany(members.map(({ accountId }) => accountId))
  const people = new Map(accounts.filter(({ bot, isErased }) => !bot && !isErased).map((one) => [one.id, one]))
  return members.flatMap(({ accountId, roles, joinedAt }) => {
    const person = people.get(accountId)
    if (!person || accountId === ownerId) return []
    return [{ accountId, roles, joinedAt, leaves: person.deletion !== null }]
  })
}
