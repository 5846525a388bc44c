import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { Membership } from '../../domain/membership/state.ts'
import { heldRoles } from '../../domain/permissions/held-roles.ts'
import type { Lookups } from '../visibility/lookups.ts'
import type { World } from '../visibility/world.ts'

export interface MembershipSources {
  readonly lookups: Pick<Lookups, 'ask'>
  readonly world: Pick<World, 'memberHere' | 'room'>
}

/** An account in a guild. */
export interface MemberOf {
  readonly guildId: GuildId
  readonly accountId: AccountId
}

/**
 * The memberships of accounts in guilds, each with roles that exist: from their sessions here, otherwise from the read
 * models. Gives undefined for one that has ended. Rejects with `LookupFailed`.
 */
export async function membershipsOf(
  { lookups, world }: MembershipSources,
  wanted: readonly MemberOf[],
): Promise<(of: MemberOf) => Membership | undefined> {
  const found = new Map<string, Membership>()
  const missing = new Map<GuildId, Set<AccountId>>()
  for (const of of wanted) {
    const { guildId, accountId } = of
    const member = world.memberHere(of)
    const guild = world.room(guildId)?.guild
    if (member && guild) found.set(keyOf(of), heldRoles(guild, member))
    else missing.set(guildId, (missing.get(guildId) ?? new Set<AccountId>()).add(accountId))
  }
  for (const [guildId, accounts] of missing) {
    for (const member of await lookups.ask(({ members }) => members.among(guildId, [...accounts])))
      found.set(keyOf({ guildId, accountId: member.accountId }), member)
  }
  return (of) => found.get(keyOf(of))
}

const keyOf = ({ guildId, accountId }: MemberOf): string => `${guildId} ${accountId}`
