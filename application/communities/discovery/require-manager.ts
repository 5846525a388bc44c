import type { Guild } from '../../../domain/guild/state.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { refusalOf } from '../../../domain/permissions/authority.ts'
import { requireGuild, requirePermission, type GuildAccess } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

/**
 * A guild that the caller may show in the directory: MANAGE_GUILD, as an elevated permission. Refuses with
 * UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS, TWO_FACTOR_REQUIRED.
 */
export async function requireManager(
  ports: Pick<Ports, 'queries'>,
  caller: Caller,
  guildId: GuildId,
): Promise<GuildAccess> {
  const access = await requireGuild(ports, caller, guildId)
  requirePermission(access, 'MANAGE_GUILD')
  return access
}

/**
 * The same for a write, asked once more of the guild's stream: an answer of the read model may be older than the moment in which
 * the role lost the permission, or the guild was deleted.
 */
export async function requireManagerNow(
  ports: Pick<Ports, 'queries'> & { readonly aggregates: Pick<Ports['aggregates'], 'guild'> },
  caller: Caller,
  guildId: GuildId,
): Promise<GuildAccess & { readonly now: Guild }> {
  const access = await requireManager(ports, caller, guildId)
  const { state } = await ports.aggregates.guild.load(guildId)
  if (state.status !== 'active') return reject('UNKNOWN_GUILD')
  const refusal = refusalOf(state, access.actor, 'MANAGE_GUILD')
  return refusal === undefined ? { ...access, now: state } : reject(refusal)
}
