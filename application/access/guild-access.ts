import type { Channel } from '../../domain/guild/channel.ts'
import { isUnavailable, type Guild } from '../../domain/guild/state.ts'
import type { ChannelId, GuildId } from '../../domain/ids/ids.ts'
import type { Membership } from '../../domain/membership/state.ts'
import { lacking, refusalOf, type GuildActor } from '../../domain/permissions/authority.ts'
import { computePermissions, holds, type Overwrite } from '../../domain/permissions/compute-permissions.ts'
import type { PermissionName } from '../../domain/permissions/permission-bits.ts'
import { canView, needsThreads } from '../../domain/permissions/viewable-channels.ts'
import { viewerOf, type Caller } from '../caller.ts'
import { reject } from '../commands/refused.ts'
import { authenticatorTypes, isStaff } from '../wire-objects/identity/user-objects.ts'
import type { GuildWithMember } from '../ports/queries/guild-queries.ts'
import type { Ports } from '../ports.ts'

/** A guild that the caller is a member of. */
export interface GuildAccess {
  readonly guild: Guild
  readonly member: Membership
  readonly memberCount: number
  /** The caller as an actor in the guild. Commands that check a permission take it as `by`. */
  readonly actor: GuildActor
  /** The channel's overwrites, for access to a channel. */
  readonly overwrites?: readonly Overwrite[]
  /** Whether the caller holds a permission: in the channel for access to a channel, otherwise in the guild. */
  readonly can: (permission: PermissionName) => boolean
}

/** A channel of a guild that the caller is a member of; `can` checks permissions in the channel. */
export interface ChannelAccess extends GuildAccess {
  readonly channel: Channel
  /** The access to the whole guild, for checks at the level of the guild. */
  readonly inGuild: GuildAccess
}

type Needs = Pick<Ports, 'queries'>

/**
 * Gives the guild to a member. Refuses in this order: 404 UNKNOWN_GUILD, 403 MISSING_ACCESS for an unavailable guild,
 * 403 MISSING_PERMISSIONS for callers who are not members. See rules/guilds#reach.
 */
export async function requireGuild({ queries }: Needs, caller: Caller, guildId: GuildId): Promise<GuildAccess> {
  const found = await queries.guilds.findFor(guildId, caller.account.id)
  if (!found) return reject('UNKNOWN_GUILD')
  return memberAccess(found, caller)
}

/** Gives the guild channel to a member of its guild. Refuses with 404 UNKNOWN_CHANNEL, then as `requireGuild`. */
export async function requireChannel(ports: Needs, caller: Caller, channelId: ChannelId): Promise<ChannelAccess> {
  return (await findChannel(ports, caller, channelId)) ?? reject('UNKNOWN_CHANNEL')
}

/**
 * The same, but undefined for an id of no guild channel, and for a forum or media channel without thread access
 * (rules/channels#reach). With `evenUnavailable`, a member gets the channel of an unavailable guild too.
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
 * Demands a permission in the guild, else 403 MISSING_PERMISSIONS. For an elevated permission in a guild whose MFA
 * level is ELEVATED, refuses callers without an authenticator with 400 TWO_FACTOR_REQUIRED, except the owner
 * (rules/roles-and-permissions#elevated).
 */
export function requirePermission({ guild, actor, overwrites }: GuildAccess, permission: PermissionName): void {
  const refusal = refusalOf(guild, actor, permission, overwrites)
  if (refusal !== undefined) reject(refusal)
}

/**
 * Demands that the caller can view the channel; a category is in view also through a channel in it. Else 403
 * MISSING_PERMISSIONS (rules/channels#sight).
 */
export function requireInSight({ guild, member, channel }: ChannelAccess, caller: Caller): void {
  if (!canView(guild, member, channel, viewerOf(caller))) reject(lacking('VIEW_CHANNEL'))
}

function memberAccess(
  { guild, member, memberCount }: GuildWithMember,
  caller: Caller,
  evenUnavailable = false,
): GuildAccess {
  if (!evenUnavailable && isUnavailable(guild, isStaff(caller.account))) reject('MISSING_ACCESS')
  if (!member) return reject(lacking('membership'))
  const mask = computePermissions(guild, member)
  const { accountId, roles } = member
  const actor = { accountId, roles, hasAuthenticator: authenticatorTypes(caller.account).length > 0 }
  return { guild, member, memberCount, actor, can: (permission) => holds(mask, permission) }
}
