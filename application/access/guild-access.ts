import type { Channel } from '../../domain/guild/channel.js'
import { isUnavailable, type Guild } from '../../domain/guild/state.js'
import type { ChannelId, GuildId } from '../../domain/ids/ids.js'
import type { Membership } from '../../domain/membership/state.js'
import { refusalOf, type GuildActor } from '../../domain/permissions/authority.js'
import { computePermissions, holds, type Overwrite } from '../../domain/permissions/compute-permissions.js'
import type { PermissionName } from '../../domain/permissions/permission-bits.js'
import { canView, needsThreads } from '../../domain/permissions/viewable-channels.js'
import { viewerOf, type Caller } from '../caller.js'
import { reject } from '../commands/refused.js'
import { authenticatorTypes, isStaff } from '../wire-objects/identity/user-objects.js'
import type { GuildWithMember } from '../ports/queries/guild-queries.js'
import type { Ports } from '../ports.js'

/** A guild that the caller is a member of. */
export interface GuildAccess {
  readonly guild: Guild
  readonly member: Membership
  readonly memberCount: number
  /** The caller as one who acts in the guild: what commands that a permission stands before take as `by`. */
  readonly actor: GuildActor
  /** Those of the channel, where the access is one to a channel. */
  readonly overwrites?: readonly Overwrite[]
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
export async function requireChannel(ports: Needs, caller: Caller, channelId: ChannelId): Promise<ChannelAccess> {
  return (await findChannel(ports, caller, channelId)) ?? reject('UNKNOWN_CHANNEL')
}

/**
 * The same, and undefined for an id that is no guild channel's, and for a forum or media channel without thread access (reference
 * gateway 5.3). With `evenUnavailable`, a member reaches it in an unavailable
 * guild too.
 */
export async function findChannel(
  { queries }: Needs,
  caller: Caller,
  channelId: ChannelId,
  { evenUnavailable = false }: { readonly evenUnavailable?: boolean } = {},
): Promise<ChannelAccess | undefined> {
  const found = await queries.guilds.findByChannel(channelId, caller.account.id)
  const channel = found?.guild.channels.find(({ id }) => id === channelId)
  if (!found || !channel || (needsThreads(channel.type) && !viewerOf(caller).threadAccess)) return undefined
  const access = memberAccess(found, caller, evenUnavailable)
  const { overwrites } = channel
  const mask = computePermissions(found.guild, access.member, overwrites)
  return { ...access, channel, overwrites, inGuild: access, can: (permission) => holds(mask, permission) }
}

/**
 * Demands a permission in the guild: 403 MISSING_PERMISSIONS, and then, where it is an elevated one and the guild's MFA level
 * is ELEVATED, 400 TWO_FACTOR_REQUIRED for everybody but the owner who has no authenticator enrolled (contract part 1, MFA
 * rules).
 */
export function requirePermission({ guild, actor, overwrites }: GuildAccess, permission: PermissionName): void {
  const refusal = refusalOf(guild, actor, permission, overwrites)
  if (refusal !== undefined) reject(refusal)
}

/** Demands that the caller sees the channel, a category also by a channel in it: 403 MISSING_PERMISSIONS (reference gateway 4.8). */
export function requireInSight({ guild, member, channel }: ChannelAccess, caller: Caller): void {
  if (!canView(guild, member, channel, viewerOf(caller))) reject('MISSING_PERMISSIONS')
}

function memberAccess(
  { guild, member, memberCount }: GuildWithMember,
  caller: Caller,
  evenUnavailable = false,
): GuildAccess {
  if (!evenUnavailable && isUnavailable(guild, isStaff(caller.account))) reject('MISSING_ACCESS')
  if (!member) return reject('MISSING_PERMISSIONS')
  const mask = computePermissions(guild, member)
  const { accountId, roles } = member
  const actor = { accountId, roles, hasAuthenticator: authenticatorTypes(caller.account).length > 0 }
  return { guild, member, memberCount, actor, can: (permission) => holds(mask, permission) }
}
