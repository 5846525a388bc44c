import type { AccountId, GuildId, RoleId } from '../ids/ids.ts'
import { allPermissions, permissionBits, type PermissionMask, type PermissionName } from './permission-bits.ts'

export interface Overwrite {
  readonly id: string
  /** 0 for a role, 1 for a member. */
  readonly type: 0 | 1
  readonly allow: PermissionMask
  readonly deny: PermissionMask
}

/** The parts of a guild that the algorithm uses. */
export interface PermissionGuild {
  readonly id: GuildId
  readonly ownerId: AccountId
  readonly roles: readonly { readonly id: RoleId; readonly permissions: PermissionMask }[]
}

/** The parts of a member that the algorithm uses; undefined for an account that is not a member. */
export interface PermissionMember {
  readonly accountId: AccountId
  readonly roles: readonly RoleId[]
}

/**
 * The mask of a member in a guild or, with overwrites, in one of its channels. The owner and administrators hold all 64
 * bits, an account that is not a member none (rules/roles-and-permissions#compute). The mask implies nothing further:
 * operations check VIEW_CHANNEL themselves.
 */
export function computePermissions(
  guild: PermissionGuild,
  member: PermissionMember | undefined,
  overwrites?: readonly Overwrite[],
): bigint {
  return permissionsOf(guild, member)(overwrites)
}

/** The same for many channels of a guild, computing the role permissions only once. */
export function permissionsOf(
  guild: PermissionGuild,
  member: PermissionMember | undefined,
): (overwrites?: readonly Overwrite[]) => bigint {
  if (!member) return () => 0n
  if (member.accountId === guild.ownerId) return () => allPermissions
  const base = basePermissions(guild, member)
  if ((base & permissionBits.ADMINISTRATOR) !== 0n) return () => allPermissions
  const roles = new Set<string>(member.roles)
  const steps: readonly Applies[] = [
    ({ id, type }) => type === 0 && id === guild.id,
    ({ id, type }) => type === 0 && id !== guild.id && roles.has(id),
    ({ id, type }) => type === 1 && id === member.accountId,
  ]
  return (overwrites = []) => steps.reduce((mask, applies) => withStep(mask, overwrites.filter(applies)), base)
}

type Applies = (overwrite: Overwrite) => boolean

/** Whether a mask holds every one of the named permissions. */
export function holds(mask: bigint, ...names: readonly PermissionName[]): boolean {
  return names.every((name) => (mask & permissionBits[name]) !== 0n)
}

function basePermissions(guild: PermissionGuild, member: PermissionMember): bigint {
  const held = new Set<string>([guild.id, ...member.roles])
  return guild.roles.reduce((mask, role) => (held.has(role.id) ? mask | BigInt(role.permissions) : mask), 0n)
}

/**
 * The overwrite of the everyone role, then those of the member's roles together, then the member's own. In each step allow beats
 * deny.
 */
function withStep(mask: bigint, step: readonly Overwrite[]): bigint {
  const deny = step.reduce((bits, overwrite) => bits | BigInt(overwrite.deny), 0n)
  const allow = step.reduce((bits, overwrite) => bits | BigInt(overwrite.allow), 0n)
  return (mask & ~deny) | allow
}
