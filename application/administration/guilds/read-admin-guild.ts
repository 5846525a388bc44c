import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import {
  adminGuildDetailObject,
  type AdminGuildDetailObject,
} from '../../wire-objects/administration/admin-guild-object.ts'

export interface AdminGuildNeeds {
  readonly queries: Pick<Ports['queries'], 'accounts' | 'discovery' | 'guildBans' | 'guilds' | 'invites' | 'members'>
}

/** The guild with its settings and counts, for administrators; null for an unknown or deleted one (rules/administration#guilds). */
export function getAdminGuild(needs: AdminGuildNeeds) {
  return async ({ context }: Caller, id: GuildId): Promise<AdminGuildDetailObject | null> =>
    (await readAdminGuild(needs, id, context.now)) ?? null
}

/** The same at a time; undefined for an unknown or deleted guild. */
export async function readAdminGuild(
  { queries }: AdminGuildNeeds,
  id: GuildId,
  now: Timestamp,
): Promise<AdminGuildDetailObject | undefined> {
  const guild = await queries.guilds.find(id)
  if (!guild) return undefined
  const [owner, application, memberCount, inviteCount, banCount] = await Promise.all([
    queries.accounts.find(guild.ownerId),
    queries.discovery.find(id),
    queries.members.countOf(id),
    queries.invites.countOf(id, now),
    queries.guildBans.countOf(id, now),
  ])
  return adminGuildDetailObject({ guild, memberCount, inviteCount, banCount, owner, application })
}
