import type { Guild } from '../../../domain/guild/state.js'
import type { GuildId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import { reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'

/**
 * Runs an act that creates one more invite, if the guild may have one more, counting its custom invite URL: else 400 MAX_INVITES.
 * The act resolves once the read models hold what it wrote. Its result must not be undefined, which would mean that it did not
 * run.
 */
export async function withinGuildsInvites<Result extends object | string>(
  { queries, room, limits }: Pick<Ports, 'queries' | 'room' | 'limits'>,
  guild: Guild,
  now: Timestamp,
  act: () => Promise<Result>,
): Promise<Result> {
  const { max_guild_invites: invites_max } = await limits.ofGuild(guild)
  const count = (): Promise<number> => queries.invites.countOf(guild.id, now)
  const made = await room.within(invitesOf(guild.id), invites_max, count, act)
  return made ?? reject('MAX_INVITES')
}

/** Runs an act that claims a custom invite URL, and counts it. A guild at its limit may do so too. */
export async function countedAmongInvites(
  { queries, room }: Pick<Ports, 'queries' | 'room'>,
  guildId: GuildId,
  now: Timestamp,
  act: () => Promise<void>,
): Promise<void> {
  const count = (): Promise<number> => queries.invites.countOf(guildId, now)
  await room.within(invitesOf(guildId), Number.MAX_SAFE_INTEGER, count, act)
}

const invitesOf = (guildId: GuildId): string => `invites of guild ${guildId}`
