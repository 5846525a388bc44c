import { everyoneRoleId, type RoleId } from '../ids/ids.ts'
import { compareSnowflakes } from '../ids/snowflake.ts'
import { refusal, type Refusal } from '../kernel/refusal.ts'
import {
  computePermissions,
  holds,
  type Overwrite,
  type PermissionGuild,
  type PermissionMember,
} from './compute-permissions.ts'
import {
  elevatedPermissions,
  permissionBits,
  permissionNames,
  type PermissionMask,
  type PermissionName,
} from './permission-bits.ts'

/** A member who acts in a guild. */
export interface GuildActor extends PermissionMember {
  /** Whether the account has an authenticator; for a bot, its owner. */
  readonly hasAuthenticator: boolean
}

/** The rank of a role. */
export interface RankedRole {
  readonly id: RoleId
  /** 0 for the everyone role, others from 1 upward. */
  readonly position: number
}

/** The parts of a guild that authority depends on. */
export interface AuthorityGuild extends PermissionGuild {
  readonly roles: readonly (RankedRole & { readonly permissions: PermissionMask })[]
  readonly settings: { readonly mfaLevel: number }
}

/** What an actor can lack: a permission, the ownership of the guild or group, a higher rank than the other's, or membership. */
export type Lacked = PermissionName | 'ownership' | 'rank' | 'membership'

/** MISSING_PERMISSIONS, with what is missing as a member of the answer (decision 107). */
export function lacking(...missing: readonly Lacked[]): Refusal {
  return { ...refusal('MISSING_PERMISSIONS'), details: { missing } }
}

/** The same for the permissions of a mask that the actor does not hold; MISSING_PERMISSIONS alone if those have no name. */
export function lackingOf(
  guild: PermissionGuild,
  actor: PermissionMember,
  mask: bigint,
  overwrites?: readonly Overwrite[],
): Refusal {
  const lacked = mask & ~computePermissions(guild, actor, overwrites)
  const names = permissionNames.filter((name) => (permissionBits[name] & lacked) !== 0n)
  return names.length === 0 ? refusal('MISSING_PERMISSIONS') : lacking(...names)
}

/**
 * Why an actor cannot use a permission in a guild, or in the channel with the given overwrites; undefined if it can.
 * Checks the permission, then, for an elevated one while the guild's MFA level is ELEVATED, the authenticator of
 * everybody but the owner (rules/roles-and-permissions#elevated). Every check of a permission goes through here.
 */
export function refusalOf(
  guild: AuthorityGuild,
  actor: GuildActor,
  permission: PermissionName,
  overwrites?: readonly Overwrite[],
): Refusal | undefined {
  if (!holds(computePermissions(guild, actor, overwrites), permission)) return lacking(permission)
  const elevated = guild.settings.mfaLevel === 1 && (elevatedPermissions & permissionBits[permission]) !== 0n
  if (elevated && !actor.hasAuthenticator && actor.accountId !== guild.ownerId) return refusal('TWO_FACTOR_REQUIRED')
  return undefined
}

/**
 * Whether an actor may add or remove every bit of a mask: nobody can grant a bit that they lack
 * (rules/roles-and-permissions#grant).
 */
export function holdsAll(
  guild: PermissionGuild,
  actor: PermissionMember,
  mask: bigint,
  overwrites?: readonly Overwrite[],
): boolean {
  return (mask & ~computePermissions(guild, actor, overwrites)) === 0n
}

/** Negative if `a` ranks above `b`: the higher position first, then the lower id. */
export function compareRanks(a: RankedRole, b: RankedRole): number {
  return b.position - a.position || compareSnowflakes(a.id, b.id)
}

/** Whether an actor ranks strictly above a role: the owner above every role, others by their highest role. */
export function outranksRole(guild: AuthorityGuild, actor: PermissionMember, role: RankedRole): boolean {
  if (actor.accountId === guild.ownerId) return true
  const highest = highestRole(guild, actor)
  return highest !== undefined && compareRanks(highest, role) < 0
}

/**
 * Whether an actor ranks strictly above a member: nobody above the owner, the owner above everybody else, a member
 * without roles below all roles (rules/roles-and-permissions#rank).
 */
export function outranksMember(guild: AuthorityGuild, actor: PermissionMember, member: PermissionMember): boolean {
  if (member.accountId === guild.ownerId) return false
  if (actor.accountId === guild.ownerId) return true
  const mine = highestRole(guild, actor)
  const theirs = highestRole(guild, member)
  if (mine === undefined) return false
  return theirs === undefined || compareRanks(mine, theirs) < 0
}

/** The role that gives a member its rank; undefined for a member without roles besides the everyone role. */
export function highestRole(guild: AuthorityGuild, { roles }: PermissionMember): RankedRole | undefined {
  return guild.roles.filter(({ id }) => id !== everyoneRoleId(guild.id) && roles.includes(id)).toSorted(compareRanks)[0]
}
