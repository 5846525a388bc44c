import { everyoneRoleId, type ChannelId, type GuildId, type RoleId } from '../../ids/ids.ts'
import { jsonBytes } from '../../kernel/json-bytes.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { channelTypes, defaultThreads, has } from '../channel.ts'
import { everyoneRole, plainChannel, type GuildLayout } from '../layout.ts'
import { systemChannelFlags, type GuildSettings, type Role } from '../state.ts'
import { templateChannelsOf } from './template-channels.ts'
import { clamped } from './clamped.ts'
import { definedBits, everyoneMask } from './template-masks.ts'
import { invalidTemplate, isRefusal, templateTooLarge } from './template-refusals.ts'
import { templateChannels_max, templateRoles_max, type GuildTemplate, type TemplateRole } from './template.ts'

/** The ids that replace the names of a template. */
export interface LayoutIds {
  readonly guildId: GuildId
  /** One for each role of the template. */
  readonly roleIds: readonly RoleId[]
  /** One for each channel of the template, and one more. */
  readonly channelIds: readonly ChannelId[]
}

/**
 * The maximum size in bytes of a template's roles and channels, as recorded. 251 roles, 501 channels and 5000 overwrites fit with
 * full masks and names of 100 ASCII letters. The store's limit for one append is higher, by the metadata of that many events.
 */
export const layout_bytes_max = 720 * 1024

/**
 * The layout of a guild by a template (rules/guilds#templates). Refuses with GUILD_TEMPLATE_INVALID for duplicate names
 * and for masks that are not integers; with TOO_LARGE at the entry in excess for too many roles, channels or
 * overwrites, and for more than `layout_bytes_max`.
 */
export function templateLayout(template: GuildTemplate, ids: LayoutIds): GuildLayout | Refusal {
  const { roles, channels } = template
  const tooMany = tooManyEntries(template)
  if (tooMany) return tooMany
  if (hasTwoOfOneName(roles) || hasTwoOfOneName(channels)) return invalidTemplate
  const laidRoles = layRoles(roles, ids)
  if (!laidRoles) return invalidTemplate
  const laid = templateChannelsOf(channels, { channelIds: ids.channelIds, roleIds: laidRoles.idOf })
  if (isRefusal(laid)) return laid
  const system = laid.named.get(template.systemChannelId ?? '')
  const existing =
    system && has(system.type, 'messages') ? system : laid.channels.find(({ type }) => has(type, 'messages'))
  const general = existing ? undefined : generalChannel(ids, laid.rootCount)
  const systemChannelId = existing?.id ?? general?.id ?? null
  const layout = { roles: laidRoles.roles, channels: general ? [...laid.channels, general] : laid.channels }
  if (jsonBytes(layout) > layout_bytes_max) return templateTooLarge('template')
  return { ...layout, settings: { ...settingsOf(template), systemChannelId } }
}

/** Refuses a template with more roles or channels than allowed. */
export function tooManyEntries({ roles, channels }: GuildTemplate): Refusal | undefined {
  if (roles.length > templateRoles_max) return templateTooLarge('template.roles')
  return channels.length > templateChannels_max ? templateTooLarge('template.channels') : undefined
}

function hasTwoOfOneName(entries: readonly { readonly id: string }[]): boolean {
  return new Set(entries.map(({ id }) => id)).size < entries.length
}

interface LaidRoles {
  /** The everyone role first, the others in the template's order at positions 1 upward. */
  readonly roles: readonly Role[]
  /** The ids of the roles by name; `0` also means the everyone role. */
  readonly idOf: ReadonlyMap<string, RoleId>
}

function layRoles(roles: readonly TemplateRole[], { guildId, roleIds }: LayoutIds): LaidRoles | undefined {
  const everyone = roles.find(({ name }) => name === '@everyone') ?? roles.find(({ id }) => id === '0')
  const idOf = new Map<string, RoleId>([['0', everyoneRoleId(guildId)]])
  const laid: Role[] = []
  for (const [index, role] of roles.entries()) {
    const permissions = definedBits(role.permissions)
    const id = role === everyone ? everyoneRoleId(guildId) : roleIds[index]
    if (permissions === undefined || id === undefined) return undefined
    // 0 always names the everyone role, even if another role has that name.
    if (role.id !== '0') idOf.set(role.id, id)
    if (role === everyone) laid.unshift(everyoneRole(guildId, everyoneMask(permissions).toString()))
    else laid.push(laidRole(role, id, permissions))
  }
  if (!everyone) laid.unshift(everyoneRole(guildId, everyoneMask(0n).toString()))
  return { roles: laid.map((role, position) => ({ ...role, position })), idOf }
}

function laidRole({ name, color, hoist, mentionable, unicodeEmoji }: TemplateRole, id: RoleId, mask: bigint): Role {
  const permissions = mask.toString()
  return { id, name, permissions, position: 0, color, hoist, hoistPosition: null, mentionable, unicodeEmoji }
}

/** A guild without a channel for messages gets one. */
function generalChannel({ channelIds }: LayoutIds, position: number) {
  const id = channelIds.at(-1)
  return id && { ...plainChannel, id, type: channelTypes.text, name: 'general', position, threads: defaultThreads }
}

function settingsOf(template: GuildTemplate): Partial<GuildSettings> {
  return {
    verificationLevel: clamped(template.verificationLevel, 0, 3),
    defaultMessageNotifications: clamped(template.defaultMessageNotifications, 0, 1),
    explicitContentFilter: clamped(template.explicitContentFilter, 0, 2),
    afkTimeout: clamped(template.afkTimeout, 60, 3600),
    systemChannelFlags: template.systemChannelFlags & systemChannelFlags.SUPPRESS_JOIN_NOTIFICATIONS,
  }
}
