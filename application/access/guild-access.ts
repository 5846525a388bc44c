import type { Channel } from '../../domain/guild/channel.js'
import { isUnavailable, type Guild } from '../../domain/guild/state.js'
import type { ChannelId, GuildId } from '../../domain/ids/ids.js'
import type { Membership } from '../../domain/membership/state.js'
import { computePermissions, holds } from '../../domain/permissions/compute-permissions.js'
import { elevatedPermissions, permissionBits, type PermissionName } from '../../domain/permissions/permission-bits.js'
import type { Caller } from '../caller.js'
import { reject } from '../commands/refused.js'
import { authenticatorTypes, isStaff } from '../objects/user-objects.js'
import type { GuildWithMember } from '../ports/queries/guild-queries.js'
import type { Ports } from '../ports.js'

/** A guild that the caller is a member of. */
export interface GuildAccess {
  readonly guild: Guild
  readonly member: Membership
  readonly memberCount: number
  /** Whether the caller has an authenticator enrolled; a bot has its owner's. */
  readonly hasAuthenticator: boolean
  /** Whether the caller holds a permission: in the guild, or in the channel where the access is one to a channel. */
  readonly can: (permission: PermissionName) => boolean
}

/** A channel of a guild that the caller is a member of; `can` is asked of the channel. */
export interface ChannelAccess extends GuildAccess {
  readonly channel: Channel
  /** The access to the guild as a whole, for what is asked of the guild. */
  readonly inGuild: GuildAccess
}

type Needs = Pick<Ports, 'queries'>

/**
 * The guild, for a member of it. Refuses in this order: 404 UNKNOWN_GUILD, 403 MISSING_ACCESS for an unavailable guild,
 * 403 MISSING_PERMISSIONS for somebody who is not a member. Contract: part 1, Endpoints, conventions.
 */
export async function requireGuild({ queries }: Needs, caller: Caller, guildId: GuildId): Promise<GuildAccess> {
  const found = await queries.guilds.findFor(guildId, caller.account.id)
  if (!found) return reject('UNKNOWN_GUILD')
  return memberAccess(found, caller)
}

/** The guild channel, for a member of its guild: 404 UNKNOWN_CHANNEL, then as `requireGuild`. */
export async function requireChannel({ queries }: Needs, caller: Caller, channelId: ChannelId): Promise<ChannelAccess> {
  const found = await queries.guilds.findByChannel(channelId, caller.account.id)
  const channel = found?.guild.channels.find(({ id }) => id === channelId)
  if (!found || !channel) return reject('UNKNOWN_CHANNEL')
  const access = memberAccess(found, caller)
  const mask = computePermissions(found.guild, access.member, channel.overwrites)
  return { ...access, channel, inGuild: access, can: (permission) => holds(mask, permission) }
}

/**
 * Demands a permission in the guild: 403 MISSING_PERMISSIONS, and then, where it is an elevated one and the guild's MFA level
 * is ELEVATED, 400 TWO_FACTOR_REQUIRED for everybody but the owner who has no authenticator enrolled (contract part 1, MFA
 * rules).
 */
export function requirePermission(access: GuildAccess, permission: PermissionName): void {
  if (!access.can(permission)) reject('MISSING_PERMISSIONS')
  const elevated = access.guild.settings.mfaLevel === 1 && (elevatedPermissions & permissionBits[permission]) !== 0n
  if (elevated && !access.hasAuthenticator && access.member.accountId !== access.guild.ownerId)
    reject('TWO_FACTOR_REQUIRED')
}

function memberAccess({ guild, member, memberCount }: GuildWithMember, caller: Caller): GuildAccess {
  if (isUnavailable(guild, isStaff(caller.account))) reject('MISSING_ACCESS')
  if (!member) return reject('MISSING_PERMISSIONS')
  const mask = computePermissions(guild, member)
  const hasAuthenticator = authenticatorTypes(caller.account).length > 0
  return { guild, member, memberCount, hasAuthenticator, can: (permission) => holds(mask, permission) }
}
