import type { GuildId, RoleId } from '../../../domain/ids/ids.ts'
import { requireGuild } from '../../access/guild-access.ts'
import { viewerOf, type Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { roleObject, roleObjects, type RoleObject } from '../../wire-objects/communities/guild-objects.ts'
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

/** One of them. Refuses as listing does, and with UNKNOWN_ROLE. */
export function readRole(ports: Pick<Ports, 'queries'>) {
  return async (caller: Caller, guildId: GuildId, id: RoleId): Promise<RoleObject> => {
    const { guild } = await requireGuild(ports, caller, guildId)
    const role = guild.roles.find((one) => one.id === id)
    return roleObject(role ?? reject('UNKNOWN_ROLE'), viewerOf(caller))
  }
}
