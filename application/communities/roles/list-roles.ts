import type { GuildId } from '../../../domain/ids/ids.ts'
import { requireGuild } from '../../access/guild-access.ts'
import { viewerOf, type Caller } from '../../caller.ts'
import { roleObjects, type RoleObject } from '../../wire-objects/communities/guild-objects.ts'
import type { Ports } from '../../ports.ts'

/**
 * The roles of a guild, highest position first, then lowest id. The caller must be a member. Refuses as `requireGuild`.
 */
export function listRoles(ports: Pick<Ports, 'queries'>) {
  return async (caller: Caller, guildId: GuildId): Promise<readonly RoleObject[]> => {
    const { guild } = await requireGuild(ports, caller, guildId)
    return roleObjects(guild, viewerOf(caller))
  }
}
