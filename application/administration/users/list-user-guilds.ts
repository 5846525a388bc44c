import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import { usersOf } from '../../conversations/relationships/read-relationships.ts'
import type { GuildPage } from '../../ports/queries/guild-queries.ts'
import type { Ports } from '../../ports.ts'
import { adminGuildObject, type AdminGuildObject } from '../../wire-objects/administration/admin-guild-object.ts'
import { requireAccount } from './require-account.ts'

type Needs = Pick<Ports, 'queries' | 'presence'>

/**
 * The account's guilds between two cursors, in ascending order of ids, with their owners' names, and with counts if
 * requested. Refuses with UNKNOWN_USER.
 */
export function listUserGuilds({ queries, presence }: Needs) {
  return async (target: AccountId, page: GuildPage, withCounts: boolean): Promise<readonly AdminGuildObject[]> => {
    await requireAccount({ queries }, target)
    const guilds = await queries.guilds.betweenCursors(target, page)
    const owners = await usersOf({ queries }, [...new Set(guilds.map(({ ownerId }) => ownerId))])
    const online = withCounts ? await presence.onlineCounts(guilds.map(({ id }) => id)) : undefined
    return guilds.map((guild) => adminGuildObject(guild, owners.get(guild.ownerId), countOf(online, guild.id)))
  }
}

/** How many members of a guild are online; undefined if that was not asked for. */
function countOf(online: ReadonlyMap<GuildId, number> | undefined, guild: GuildId): number | undefined {
  return online && (online.get(guild) ?? 0)
}
