import type { GuildId } from '../../../domain/ids/ids.ts'
import { computePermissions } from '../../../domain/permissions/compute-permissions.ts'
import { viewerOf, type Caller } from '../../caller.ts'
import { guildObject, maskFor } from '../../wire-objects/communities/guild-objects.ts'
import { listedGuildSchema, type ListedGuildObject } from '../../wire-objects/communities/full-guild-objects.ts'
import { objectOf } from '../../wire-objects/declaration.ts'
import type { GuildPage } from '../../ports/queries/guild-queries.ts'
import type { Ports } from '../../ports.ts'

const noCounts: ReadonlyMap<GuildId, number> = new Map()

type Needs = Pick<Ports, 'queries' | 'presence'>

/**
 * The caller's guilds in ascending order of ids, including unavailable ones, with the caller's permissions in each, and
 * with member counts if requested. See rules/guilds#read.
 */
export function listOwnGuilds({ queries, presence }: Needs) {
  return async (caller: Caller, page: GuildPage, withCounts: boolean): Promise<readonly ListedGuildObject[]> => {
    const found = await queries.guilds.ofMember(caller.account.id, page)
    const online = withCounts ? await presence.onlineCounts(found.map(({ guild }) => guild.id)) : noCounts
    const viewer = viewerOf(caller)
    return found.map(({ guild, member, memberCount }) =>
      objectOf(listedGuildSchema, {
        ...guildObject(guild),
        permissions: maskFor(viewer, computePermissions(guild, member)),
        ...(withCounts
          ? { approximate_member_count: memberCount, approximate_presence_count: online.get(guild.id) ?? 0 }
          : {}),
        ...(viewer.threadAccess ? { threads_active: true } : {}),
      }),
    )
  }
}
