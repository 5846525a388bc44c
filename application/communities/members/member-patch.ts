import { channelTypes } from '../../../domain/guild/channel.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import { everyoneRoleId, type ChannelId, type RoleId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { RoleMoves } from '../../../domain/membership/commands.ts'
import type { MemberAttributes, Membership } from '../../../domain/membership/state.ts'
import { holdsAll, lacking, lackingOf, outranksRole } from '../../../domain/permissions/authority.ts'
import { computePermissions, holds } from '../../../domain/permissions/compute-permissions.ts'
import type { PermissionName } from '../../../domain/permissions/permission-bits.ts'
import { requirePermission, type GuildAccess } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { requireRankAbove } from './guild-member.ts'

/** The body of Modify guild member, with its member names; undefined for members that were not sent. */
export interface MemberPatch {
  readonly nick?: string | null | undefined
  readonly roles?: readonly RoleId[] | undefined
  readonly mute?: boolean | undefined
  readonly deaf?: boolean | undefined
  readonly channel_id?: ChannelId | null | undefined
  readonly connection_id?: string | null | undefined
  readonly communication_disabled_until?: Timestamp | null | undefined
  readonly timeout_reason?: string | null | undefined
  /** As sent. */
  readonly avatar?: Uint8Array | null | undefined
  readonly banner?: Uint8Array | null | undefined
  readonly bio?: string | null | undefined
  readonly pronouns?: string | null | undefined
  readonly accent_color?: number | null | undefined
  readonly profile_flags?: number | undefined
  readonly mention_flags?: number | undefined
}

/** The caller's access, the target member and the changes. */
export interface MemberEdit {
  readonly access: GuildAccess
  readonly target: Membership
  readonly patch: MemberPatch
}

/** Members that only the account itself may change. */
const ownProfile = ['avatar', 'banner', 'bio', 'pronouns', 'accent_color', 'profile_flags', 'mention_flags'] as const

/**
 * Refuses changes that the caller may not make, field by field in this order: nick, roles, mute, deaf, the voice
 * channel, the timeout, the profile. Each is refused with MISSING_PERMISSIONS, and with TWO_FACTOR_REQUIRED for an
 * elevated permission. The field codes are INVALID_ROLE_ID, CHANNEL_DOES_NOT_EXIST and CHANNEL_MUST_BE_VOICE. Nobody is
 * in voice here, which gives USER_NOT_IN_VOICE. See rules/members#change.
 */
export function requireChangeable(edit: MemberEdit): void {
  const { access, target, patch } = edit
  const isOwn = target.accountId === access.actor.accountId
  requireNickname(edit, isOwn)
  requireRoles(edit)
  if (patch.mute !== undefined) requirePermissionOver(edit, 'MUTE_MEMBERS')
  if (patch.deaf !== undefined) requirePermissionOver(edit, 'DEAFEN_MEMBERS')
  requireNoMove(edit)
  requireTimeout(edit, isOwn)
  if (!isOwn && ownProfile.some((member) => patch[member] !== undefined)) reject('MISSING_PERMISSIONS')
}

/** A permission that covers only members below the caller, and the caller itself. */
function requirePermissionOver({ access, target }: MemberEdit, permission: PermissionName): void {
  requirePermission(access, permission)
  requireRankAbove(access, target)
}

function requireNickname(edit: MemberEdit, isOwn: boolean): void {
  if (edit.patch.nick !== undefined) requirePermissionOver(edit, isOwn ? 'CHANGE_NICKNAME' : 'MANAGE_NICKNAMES')
}

/**
 * The caller may not add or remove roles at or above its own rank, and may not add a role with a bit that it lacks.
 * This holds for each role by itself (rules/roles-and-permissions#grant).
 */
function requireRoles({ access, target, patch }: MemberEdit): void {
  if (patch.roles === undefined) return
  const { guild, actor } = access
  requirePermission(access, 'MANAGE_ROLES')
  requireRankAbove(access, target)
  if (patch.roles.includes(everyoneRoleId(guild.id))) reject('INVALID_FORM_BODY', field('roles', 'INVALID_ROLE_ID'))
  const wanted = new Set(patch.roles)
  const moved = guild.roles.filter(({ id }) => wanted.has(id) !== target.roles.includes(id))
  const mayMove = moved.filter(({ id }) => id !== everyoneRoleId(guild.id))
  if (mayMove.some((role) => !outranksRole(guild, actor, role))) reject(lacking('rank'))
  const given = mayMove.filter(({ id }) => wanted.has(id))
  const mask = given.reduce((bits, { permissions }) => bits | BigInt(permissions), 0n)
  if (!holdsAll(guild, actor, mask)) reject(lackingOf(guild, actor, mask))
}

/** Voice is not implemented: nobody can be moved out of a channel or into one. */
function requireNoMove(edit: MemberEdit): void {
  const { channel_id: channelId, connection_id: connectionId } = edit.patch
  if (channelId === undefined && (connectionId === undefined || connectionId === null)) return
  requirePermissionOver(edit, 'MOVE_MEMBERS')
  if (channelId !== undefined && channelId !== null) requireVoiceChannel(edit.access.guild, channelId)
  reject('USER_NOT_IN_VOICE')
}

function requireVoiceChannel({ channels }: Guild, channelId: ChannelId): void {
  const channel = channels.find(({ id }) => id === channelId)
  if (!channel) return reject('INVALID_FORM_BODY', field('channel_id', 'CHANNEL_DOES_NOT_EXIST'))
  if (channel.type !== channelTypes.voice) reject('INVALID_FORM_BODY', field('channel_id', 'CHANNEL_MUST_BE_VOICE'))
}

/**
 * A caller cannot time out itself or another moderator. A member may have been timed out before it became a moderator or the
 * owner. Then members above it can lift the timeout, and the owner can lift its own: otherwise nobody could.
 */
function requireTimeout({ access, target, patch }: MemberEdit, isOwn: boolean): void {
  if (patch.communication_disabled_until === undefined) return
  requirePermission(access, 'MODERATE_MEMBERS')
  const { guild } = access
  const lifts = patch.communication_disabled_until === null
  const isOwnersOwn = isOwn && target.accountId === guild.ownerId
  if (isOwn && !(lifts && isOwnersOwn)) reject('MISSING_PERMISSIONS')
  if (!lifts && holds(computePermissions(guild, target), 'MODERATE_MEMBERS')) reject('MISSING_PERMISSIONS')
  requireRankAbove(access, target)
}

const images = ['avatar', 'banner'] as const

/**
 * The part of a patch that counts. Own images for one guild need `feature_per_guild_profiles`. Without it they are
 * dropped, like fields for staff. Null still removes an image.
 */
export async function withinPerks(
  { limits }: Pick<Ports, 'limits'>,
  { account }: Caller,
  patch: MemberPatch,
): Promise<MemberPatch> {
  const wishes = images.filter((member) => patch[member] !== undefined && patch[member] !== null)
  if (wishes.length === 0) return patch
  const { feature_per_guild_profiles: mayHaveProfile } = await limits.ofAccount(account)
  return mayHaveProfile > 0 ? patch : { ...patch, ...Object.fromEntries(wishes.map((member) => [member, undefined])) }
}

/** The member attributes in a patch, except images. Attributes that are not in it stay as they are. */
export function attributesIn(patch: MemberPatch): Partial<MemberAttributes> {
  const wishes = {
    nick: patch.nick,
    mute: patch.mute,
    deaf: patch.deaf,
    communicationDisabledUntil: patch.communication_disabled_until,
    bio: patch.bio,
    pronouns: patch.pronouns,
    accentColor: patch.accent_color,
    profileFlags: patch.profile_flags,
    mentionFlags: patch.mention_flags,
  }
  return Object.fromEntries(Object.entries(wishes).filter(([, wish]) => wish !== undefined))
}

/** The roles that a patch adds and removes; undefined if it does not change roles. Unknown roles are dropped. */
export function rolesIn({ access, target, patch }: MemberEdit): RoleMoves | undefined {
  if (patch.roles === undefined) return undefined
  const known = new Set(access.guild.roles.map(({ id }) => id))
  const wanted = new Set(patch.roles.filter((role) => known.has(role)))
  return {
    give: [...wanted].filter((role) => !target.roles.includes(role)),
    take: target.roles.filter((role) => !wanted.has(role)),
  }
}
