import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { endGuild, type EndingNeeds } from './delete-guild.ts'
import { findHeir } from './find-heir.ts'
import { protectedGuild } from './one-community.ts'
import { makeOwner, type OwnershipNeeds } from './transfer-ownership.ts'

export type HandingOnNeeds = EndingNeeds & OwnershipNeeds & Pick<Ports, 'instancePolicies' | 'queries'>

/**
 * Takes a guild from an owner who is erased: it goes to the member that `findHeir` finds, or is deleted if there is none. Safe to
 * repeat. Refuses with UNKNOWN_MEMBER if the heir leaves at the same moment, RESOURCE_LOCKED as `makeOwner`, and
 * SINGLE_COMMUNITY_CANNOT_DELETE for the single community of the instance: then it has to be tried again later.
 */
export async function handOnGuild(
  ports: HandingOnNeeds,
  guildId: GuildId,
  owner: AccountId,
  context: CommandContext,
): Promise<void> {
  const guild = await ports.queries.guilds.find(guildId)
  if (guild?.ownerId !== owner) return
  const heir = await findHeir(ports, guild)
  if (heir !== null) return void (await makeOwner(ports, guildId, { by: owner, to: heir }, context))
  if ((await protectedGuild(ports)) === guildId) reject('SINGLE_COMMUNITY_CANNOT_DELETE')
  for (const follow of await endGuild(ports, guild, owner, context)) await follow()
}
