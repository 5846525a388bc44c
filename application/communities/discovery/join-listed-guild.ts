import { isListed } from '../../../domain/discovery-application/state.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { requireUnlimited } from '../../access/account-standing.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { admitByDirectory } from '../admission/admit-by-invite.ts'
import { newcomerOf, requireAdmissible } from '../admission/require-admissible.ts'
import { withinAccountsAndGuild } from '../admission/within-members.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<
  Ports,
  'aggregates' | 'instancePolicies' | 'locks' | 'queries' | 'readModels' | 'reservations' | 'limits'
>

/**
 * Adds the caller to a listed guild; a member changes nothing. Refuses, in this order, with DISCOVERY_DISABLED,
 * DISCOVERY_NOT_DISCOVERABLE, ACCOUNT_LIMITED, UNKNOWN_GUILD, and then as Accept invite does: MISSING_ACCESS,
 * USER_BANNED_FROM_GUILD, USER_IP_BANNED_FROM_GUILD, INVITES_DISABLED, FEATURE_TEMPORARILY_DISABLED, MAX_GUILDS,
 * MAX_GUILD_MEMBERS. See rules/directory#join.
 */
export function joinListedGuild(ports: Needs) {
  return async (caller: Caller, guildId: GuildId): Promise<void> => {
    const { discovery } = await ports.instancePolicies.current()
    if (!discovery.enabled) reject('DISCOVERY_DISABLED')
    await requireListed(ports, guildId)
    const found = await ports.queries.guilds.findForNewcomer(guildId, newcomerOf(caller), caller.context.now)
    if (found?.member) return
    requireUnlimited(caller)
    if (!found) return reject('UNKNOWN_GUILD')
    requireAdmissible(caller, found)
    await withinAccountsAndGuild(ports, caller.account, found.guild, async () => {
      // The wait for a reservation may have been long, and the listing removed meanwhile.
      await requireListed(ports, guildId)
      await admitByDirectory(ports, guildId, newcomerOf(caller), caller.context)
    })
  }
}

/**
 * Asks history alone, and nothing about the guild itself: so neither the answer nor its time tells whether a guild that is not
 * listed exists.
 */
async function requireListed({ aggregates }: Pick<Needs, 'aggregates'>, guildId: GuildId): Promise<void> {
  const { state } = await aggregates.discoveryApplication.load(guildId)
  if (!isListed(state)) reject('DISCOVERY_NOT_DISCOVERABLE')
}
