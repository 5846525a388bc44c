import type { RoleId } from '../../../domain/ids/ids.ts'
import type { AuthorityGuild, GuildActor } from '../../../domain/permissions/authority.ts'
import type { PermissionMember } from '../../../domain/permissions/compute-permissions.ts'
import type { PermissionName } from '../../../domain/permissions/permission-bits.ts'
import { namesIn, permissionNames } from './names.ts'

/**
 * A second implementation of ranks, grants and elevated permissions (rules/roles-and-permissions#grant). It uses names
 * and counts the roles above. It shares no code with the domain.
 */

/** Every name that a member holds in the guild. */
export function namesHeld(guild: AuthorityGuild, { accountId, roles }: PermissionMember): ReadonlySet<PermissionName> {
  const own = guild.roles.filter(({ id }) => String(id) === String(guild.id) || roles.includes(id))
  const names = new Set(own.flatMap(({ permissions }) => [...namesIn(BigInt(permissions))]))
  const holdsEverything = accountId === guild.ownerId || names.has('ADMINISTRATOR')
  return holdsEverything ? new Set(permissionNames) : names
}

const needingSecondFactor: ReadonlySet<string> = new Set([
  'KICK_MEMBERS',
  'BAN_MEMBERS',
  'ADMINISTRATOR',
  'MANAGE_CHANNELS',
  'MANAGE_GUILD',
  'MANAGE_MESSAGES',
  'MANAGE_ROLES',
  'MANAGE_WEBHOOKS',
  'MODERATE_MEMBERS',
  'MANAGE_THREADS',
])

/** The answer to an actor that needs a permission. */
export function answerTo(guild: AuthorityGuild, actor: GuildActor, name: PermissionName): string | undefined {
  if (actor.accountId === guild.ownerId) return undefined
  if (!namesHeld(guild, actor).has(name)) return 'MISSING_PERMISSIONS'
  const isElevated = guild.settings.mfaLevel === 1 && needingSecondFactor.has(name)
  return isElevated && !actor.hasAuthenticator ? 'TWO_FACTOR_REQUIRED' : undefined
}

/** How many roles are above a role. */
export function rolesAbove(guild: AuthorityGuild, id: RoleId): number {
  const own = guild.roles.find((role) => role.id === id)
  if (!own) return guild.roles.length
  return guild.roles.filter(
    (other) => other.position > own.position || (other.position === own.position && BigInt(other.id) < BigInt(own.id)),
  ).length
}

/** How many roles are above the highest of a member's roles; all of them for a member without any. */
export function rolesAboveMember(guild: AuthorityGuild, { roles }: PermissionMember): number {
  const known = guild.roles.filter(({ id }) => String(id) !== String(guild.id) && roles.includes(id))
  return Math.min(guild.roles.length, ...known.map(({ id }) => rolesAbove(guild, id)))
}
