import type { GuildId } from '../../../domain/ids/ids.ts'
import { channelViews } from '../../conversations/channel-views.ts'
import type { Ports } from '../../ports.ts'
import type { ChannelObject } from '../../wire-objects/communities/channel-objects.ts'
import { roleObjects, type RoleObject, type Viewer } from '../../wire-objects/communities/guild-objects.ts'
import { requireGuildThere } from './require-guild-there.ts'

interface Needs extends Pick<Ports, 'queries'> {
  readonly messages: Pick<Ports['messages'], 'lastOf'>
}

/** Administrators see what threads and forums have, whatever their clients declare. */
const administrator: Viewer = { threadAccess: true }

/** All channels of a guild with their overwrites, in channel order. Refuses with UNKNOWN_GUILD (rules/administration#guilds). */
export function listAdminGuildChannels(ports: Needs) {
  return async (id: GuildId): Promise<readonly ChannelObject[]> => {
    const guild = await requireGuildThere(ports, id)
    return channelViews(ports, administrator, guild, guild.channels)
  }
}

/** All roles of a guild, highest position first, then lowest id. Refuses with UNKNOWN_GUILD (rules/administration#guilds). */
export function listAdminGuildRoles({ queries }: Pick<Ports, 'queries'>) {
  return async (id: GuildId): Promise<readonly RoleObject[]> =>
    roleObjects(await requireGuildThere({ queries }, id), administrator)
}
