import type { GuildId } from '../../../domain/ids/ids.js'
import { requireGuild } from '../../access/guild-access.js'
import { viewerOf, type Caller } from '../../caller.js'
import { roleObjects, type RoleObject } from '../../wire-objects/communities/guild-objects.js'
import type { Ports } from '../../ports.js'

/**
 * The roles of a guild, highest position first, then lowest id. The caller must be a member. Refuses as `requireGuild`.
 */
export function listRoles(ports: Pick<Ports, 'queries'>) {
  return async (caller: Caller, guildId: GuildId): Promise<readonly RoleObject[]> => {
    const { guild } = await requireGuild(ports, caller, guildId)
    return roleObjects(guild, viewerOf(caller))
  }
}
