import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { Acting } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { endGuild, type EndingNeeds } from '../../communities/guilds/delete-guild.ts'
import { protectedGuild } from '../../communities/guilds/one-community.ts'
import type { Ports } from '../../ports.ts'
import { asInstance } from './as-instance.ts'

/** A guild that was deleted, for the entry of the admin audit log: its own log went with it. */
export interface EndedGuild {
  readonly name: string
  readonly ownerId: AccountId
}

/**
 * Deletes a guild for good, as the instance, also an unavailable one. What it leaves outside history is removed afterwards, as after
 * Delete guild. Refuses with UNKNOWN_GUILD, and SINGLE_COMMUNITY_CANNOT_DELETE for the single community of the instance.
 */
export function deleteGuildAsAdmin(ports: EndingNeeds & Pick<Ports, 'deferred' | 'instancePolicies'>) {
  return async ({ context: ordered }: Acting, guildId: GuildId): Promise<EndedGuild> => {
    const context = asInstance(ordered)
    const { state } = await ports.aggregates.guild.load(guildId)
    if (state.status !== 'active') return reject('UNKNOWN_GUILD')
    if ((await protectedGuild(ports)) === guildId) reject('SINGLE_COMMUNITY_CANNOT_DELETE')
    for (const follow of await endGuild(ports, state, 'instance', context)) ports.deferred.run(follow)
    return { name: state.name, ownerId: state.ownerId }
  }
}
