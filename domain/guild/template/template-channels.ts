import type { ChannelId, RoleId } from '../../ids/ids.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Overwrite } from '../../permissions/compute-permissions.ts'
import { channelTypes, defaultThreads, defaultVoice, has, type Channel, type ChannelType } from '../channel.ts'
import { channelName } from '../channel-names.ts'
import { plainChannel } from '../layout.ts'
import { passedBound } from '../overwrite-bounds.ts'
import { clamped } from './clamped.ts'
import { definedBits } from './template-masks.ts'
import { invalidTemplate, templateTooLarge } from './template-refusals.ts'
import type { TemplateChannel, TemplateOverwrite } from './template.ts'

const { text, voice, category, announcement } = channelTypes

/** The channel types by a template's numbers; a stage channel of another platform becomes voice. */
const typesByNumber: ReadonlyMap<number, ChannelType> = new Map([
  [text, text],
  [voice, voice],
  [category, category],
  [announcement, announcement],
  [13, voice],
])

interface Names {
  /** One for each channel of the template. */
  readonly channelIds: readonly ChannelId[]
  readonly roleIds: ReadonlyMap<string, RoleId>
}

export interface LaidChannels {
  /** In the template's order. */
  readonly channels: readonly Channel[]
  readonly named: ReadonlyMap<string, Channel>
  /** The number of channels at the guild's root. */
  readonly rootCount: number
}

/**
 * The channels of a template; unknown types are skipped. Refuses with GUILD_TEMPLATE_INVALID if a mask is not an integer, and
 * with TOO_LARGE at the channel that exceeds the overwrites of a channel or guild.
 */
export function templateChannelsOf(channels: readonly TemplateChannel[], names: Names): LaidChannels | Refusal {
  const kept: Kept[] = []
  let overwritesInAll = 0
  for (const [index, sent] of channels.entries()) {
    const overwrites = overwritesOf(sent.overwrites, names.roleIds)
    const id = names.channelIds[index]
    if (!overwrites || id === undefined) return invalidTemplate
    const type = typesByNumber.get(sent.type)
    if (type === undefined) continue
    overwritesInAll += overwrites.length
    const bounds = passedBound(overwrites.length, overwritesInAll)
    if (bounds) return templateTooLarge(`template.channels.${index}.permission_overwrites`, bounds)
    kept.push({ sent, id, type, overwrites })
  }
  const categories = new Map(kept.flatMap(({ sent, id, type }) => (type === category ? [[sent.id, id] as const] : [])))
  const parentOf = ({ sent, type }: Kept): ChannelId | null =>
    type === category ? null : (categories.get(sent.parentId ?? '') ?? null)
  const positions = positionsOf(kept, parentOf)
  const laid = kept.map((one) => ({ ...channelOf(one), parentId: parentOf(one), position: positions.get(one.id) ?? 0 }))
  return {
    channels: laid,
    named: new Map(laid.flatMap((channel, index) => (kept[index] ? [[kept[index].sent.id, channel] as const] : []))),
    rootCount: laid.filter(({ parentId }) => parentId === null).length,
  }
}

interface Kept {
  readonly sent: TemplateChannel
  readonly id: ChannelId
  readonly type: ChannelType
  readonly overwrites: readonly Overwrite[]
}

/** Positions among siblings, from 0, in the order of the sent positions; equal ones in the template's order. */
function positionsOf(kept: readonly Kept[], parentOf: (one: Kept) => ChannelId | null): ReadonlyMap<ChannelId, number> {
  const taken = new Map<ChannelId | null, number>()
  const positions = new Map<ChannelId, number>()
  for (const one of kept.toSorted((a, b) => a.sent.position - b.sent.position)) {
    const parent = parentOf(one)
    const position = taken.get(parent) ?? 0
    positions.set(one.id, position)
    taken.set(parent, position + 1)
  }
  return positions
}

const templateBitrate_max = 96_000

function channelOf({ sent, id, type, overwrites }: Kept): Omit<Channel, 'parentId' | 'position'> {
  return {
    ...plainChannel,
    id,
    type,
    name: channelName(type, sent.name, []),
    overwrites,
    topic: has(type, 'topic') ? sent.topic : null,
    nsfw: sent.nsfw,
    rateLimitPerUser: has(type, 'rateLimit') ? clamped(sent.rateLimitPerUser, 0, 21_600) : 0,
    threads: has(type, 'threads') ? defaultThreads : null,
    voice: has(type, 'voice')
      ? {
          bitrate: clamped(sent.bitrate ?? defaultVoice.bitrate, 8000, templateBitrate_max),
          userLimit: clamped(sent.userLimit ?? defaultVoice.userLimit, 0, 99),
          connectionLimit: clamped(sent.voiceConnectionLimit ?? defaultVoice.connectionLimit, 1, 100),
          rtcRegion: null,
        }
      : null,
  }
}

/** Overwrites for roles of the template; the later one if a role has two. Undefined if a mask is not an integer. */
function overwritesOf(
  sent: readonly TemplateOverwrite[],
  roleIds: ReadonlyMap<string, RoleId>,
): readonly Overwrite[] | undefined {
  const overwrites = new Map<RoleId, Overwrite>()
  for (const entry of sent) {
    const allow = definedBits(entry.allow)
    const deny = definedBits(entry.deny)
    if (allow === undefined || deny === undefined) return undefined
    const id = entry.type === 0 ? roleIds.get(entry.id) : undefined
    if (id !== undefined) overwrites.set(id, { id, type: 0, allow: allow.toString(), deny: deny.toString() })
  }
  return [...overwrites.values()]
}
