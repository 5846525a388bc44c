import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import { joinUnlessBanned } from '../admission/join-unless-banned.ts'
import { refuseBanned } from '../admission/refuse-banned.ts'
import { countedAmongGuilds, withinGuildsMembers } from '../admission/within-members.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused, reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

/** The guild that every account is in, on an instance with a single community; null elsewhere. */
export async function protectedGuild({ instancePolicies }: Pick<Ports, 'instancePolicies'>): Promise<GuildId | null> {
  const { community } = await instancePolicies.current()
  return community.singleCommunity ? community.guildId : null
}

/**
 * Refuses new guilds where the policy of the instance has no room for them:
 * SINGLE_COMMUNITY_CANNOT_CREATE_GUILDS, and ACCESS_DENIED where guild_create_access is off.
 */
export async function requireOpenToGuilds({ instancePolicies }: Pick<Ports, 'instancePolicies'>): Promise<void> {
  const { community } = await instancePolicies.current()
  if (community.singleCommunity) reject('SINGLE_COMMUNITY_CANNOT_CREATE_GUILDS')
  if (!community.guildCreateAccess) reject('ACCESS_DENIED')
}

export type CommunityNeeds = Pick<
  Ports,
  'aggregates' | 'instancePolicies' | 'limits' | 'locks' | 'queries' | 'readModels' | 'reservations'
>

/**
 * Makes a newly registered account a member of the single community, if there is one (rules/guilds#single-community).
 * The registration succeeds even if the guild is full or has banned the account. `ip`: the address of the registration;
 * null if unknown.
 */
export async function joinOneCommunity(
  ports: CommunityNeeds,
  { accountId, ip }: { readonly accountId: AccountId; readonly ip: string | null },
  context: CommandContext,
): Promise<void> {
  const guildId = await protectedGuild(ports)
  const found = guildId === null ? undefined : await ports.queries.guilds.find(guildId)
  if (!found) return
  const { id } = found
  const joining = { guildId: id, accountId, temporary: false, admission: { by: 'community' } } as const
  try {
    const account = await ports.queries.accounts.find(accountId)
    const origin = { email: account?.email ?? null, ip }
    await refuseBanned(ports, id, { accountId, ...origin }, context.now)
    const join = (): Promise<object | string> => joinUnlessBanned(ports, joining, origin, context)
    await countedAmongGuilds(ports, accountId, async () => void (await withinGuildsMembers(ports, found, join)))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
}
