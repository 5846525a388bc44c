import type { Guild } from '../../../domain/guild/state.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { reject } from '../../commands/refused.ts'
import { unlimited } from '../../access/unlimited.ts'
import type { Ports } from '../../ports.ts'

/**
 * Runs an act that creates one more invite, if the guild may have one more, counting its custom invite URL: else 400 MAX_INVITES.
 * The act resolves once the read models hold what it wrote.
 */
export async function withinGuildsInvites<Result>(
  { queries, reservations, limits }: Pick<Ports, 'queries' | 'reservations' | 'limits'>,
  guild: Guild,
  now: Timestamp,
  act: () => Promise<Result>,
): Promise<Result> {
  const { max_guild_invites: limit } = await limits.ofGuild(guild)
  const refuse = (): never => reject('MAX_INVITES')
  return reservations.within([{ ...invitesOf({ queries }, guild.id, now), limit, refuse }], act)
}

/** Runs an act that claims a custom invite URL, and counts it. A guild at its limit may do so too. */
export async function countedAmongInvites(
  { queries, reservations }: Pick<Ports, 'queries' | 'reservations'>,
  guildId: GuildId,
  now: Timestamp,
  act: () => Promise<void>,
): Promise<void> {
  await reservations.within([{ ...invitesOf({ queries }, guildId, now), ...unlimited }], act)
}

function invitesOf({ queries }: Pick<Ports, 'queries'>, guildId: GuildId, now: Timestamp) {
  return { key: `invites of guild ${guildId}`, count: () => queries.invites.countOf(guildId, now) }
}
