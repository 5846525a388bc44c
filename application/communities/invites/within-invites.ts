import type { Guild } from '../../../domain/guild/state.js'
import type { GuildId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import { reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'

/**
 * Runs an act that makes one more invite, while the guild may have one more, its custom invite URL counted among them: else 400
 * MAX_INVITES. The act resolves once the read models hold what it wrote, and with a value, so that it can be told from none.
 */
export async function withinGuildsInvites<Result extends object | string>(
  { queries, reservations, limits }: Pick<Ports, 'queries' | 'reservations' | 'limits'>,
  guild: Guild,
  now: Timestamp,
  act: () => Promise<Result>,
): Promise<Result> {
  const { max_guild_invites: invites_max } = await limits.ofGuild(guild)
  const count = (): Promise<number> => queries.invites.countOf(guild.id, now)
  const made = await reservations.within(invitesOf(guild.id), invites_max, count, act)
  return made ?? reject('MAX_INVITES')
}

/** Runs an act that claims a custom invite URL, which a guild may at its limit too, so that it is counted nevertheless. */
export async function countedAmongInvites(
  { queries, reservations }: Pick<Ports, 'queries' | 'reservations'>,
  guildId: GuildId,
  now: Timestamp,
  act: () => Promise<void>,
): Promise<void> {
  const count = (): Promise<number> => queries.invites.countOf(guildId, now)
  await reservations.within(invitesOf(guildId), Number.MAX_SAFE_INTEGER, count, act)
}

const invitesOf = (guildId: GuildId): string => `invites of guild ${guildId}`
