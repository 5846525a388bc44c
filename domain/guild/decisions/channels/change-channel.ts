import { accept, refuse, refuseWith, type Decision } from '../../../kernel/decider.ts'
import type { ErrorCode } from '../../../kernel/error-codes.ts'
import { field, type Refusal } from '../../../kernel/refusal.ts'
import { otherThan } from '../../../kernel/same-json.ts'
import { lacking, refusalOf } from '../../../permissions/authority.ts'
import { channelTypes, has, type Channel } from '../../channel.ts'
import type { ChangeChannel } from '../../channel-commands.ts'
import type { ChannelEvent, ChannelFields } from '../../channel-events.ts'
import { positionBelow } from '../../channel-order.ts'
import type { GuildEvent } from '../../events.ts'
import { tooManyOverwrites } from '../../overwrite-bounds.ts'
import type { Guild, GuildState } from '../../state.ts'
import { isFull } from './create-channel.ts'
import { evolveChannels } from './evolve-channels.ts'
import { seesNamed } from './in-sight.ts'
import { parentFault, wishedChannel } from './wished-channel.ts'
import { inSyncWith, overwritesRefusal, sameOverwrites, writtenOverwrites } from './written-overwrites.ts'

/**
 * Changes a channel; the event follows even if nothing differs. Refuses with UNKNOWN_CHANNEL; MISSING_PERMISSIONS or
 * TWO_FACTOR_REQUIRED without MANAGE_CHANNELS in the channel, for overwrites without MANAGE_ROLES, for a region without
 * UPDATE_RTC_REGION; MISSING_PERMISSIONS if the actor cannot view the channel and the requested parent, before and
 * after; CHANNEL_TYPE_CONVERSION_NOT_SUPPORTED except between text and announcement; INVALID_FORM_BODY for an invalid parent or name,
 * and for more overwrites than the channel or its guild may have; MAX_CATEGORY_CHANNELS (rules/channels#change).
 */
export function changeChannel(state: GuildState, command: ChangeChannel): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  const channel = state.channels.find(({ id }) => id === command.channelId)
  if (!channel) return refuse('UNKNOWN_CHANNEL')
  const named = [channel.id, command.wishes.parentId]
  const missing = missingOf(state, channel, command)
  if (missing) return refuse(missing)
  if (!seesNamed(state, command, named)) return refuse(lacking('VIEW_CHANNEL'))
  const decision = rewriting(state, channel, command)
  if (decision.outcome === 'refused') return decision
  return seesNamed(decision.events.reduce(evolveChannels, state), command, named)
    ? decision
    : refuse(lacking('VIEW_CHANNEL'))
}

/** The events of the change, if the actor may make it. */
function rewriting(guild: Guild, channel: Channel, command: ChangeChannel): Decision<ChannelEvent> {
  const { wishes, by, undeclaredBits, limits } = command
  const { parentId = channel.parentId } = wishes
  const code = typeRefusal(channel, command)
  if (code) return refuse(code)
  const fault = parentFault(guild.channels, channel.type, parentId)
  if (fault) return refuse('INVALID_FORM_BODY', fault)
  const next = placed(guild, channel, { ...wishedChannel(channel, wishes, guild), parentId })
  if (next.name === '') return refuse('INVALID_FORM_BODY', field('name', 'NAME_EMPTY_AFTER_NORMALIZATION'))
  if (parentId !== channel.parentId && isFull(guild, parentId, limits.channelsPerCategory_max))
    return refuseWith('MAX_CATEGORY_CHANNELS', { max_channels_per_category: limits.channelsPerCategory_max })
  if (!wishes.overwrites) return accept(rewritten(guild, channel, next))
  const overwrites = writtenOverwrites(wishes.overwrites, channel.overwrites, undeclaredBits)
  const synced = inSyncWith(guild, channel)
  const write = { before: channel.overwrites.length, after: overwrites.length, channels: 1 + synced.length }
  const refused = tooManyOverwrites(guild, write) ?? overwritesRefusal(guild, by, channel.overwrites, overwrites)
  if (refused) return refuse(refused)
  return accept(...withOverwrites(guild, channel, { ...next, overwrites }, synced))
}

function missingOf(guild: Guild, { overwrites, type }: Channel, { by, wishes }: ChangeChannel): Refusal | undefined {
  return (
    refusalOf(guild, by, 'MANAGE_CHANNELS', overwrites) ??
    (wishes.overwrites && refusalOf(guild, by, 'MANAGE_ROLES', overwrites)) ??
    (wishes.rtcRegion !== undefined && has(type, 'voice')
      ? refusalOf(guild, by, 'UPDATE_RTC_REGION', overwrites)
      : undefined)
  )
}

const convertible: readonly Channel['type'][] = [channelTypes.text, channelTypes.announcement]

function typeRefusal({ type: now }: Channel, { wishes: { type = now } }: ChangeChannel): ErrorCode | undefined {
  const converts = convertible.includes(type) && convertible.includes(now)
  return type === now || converts ? undefined : 'CHANNEL_TYPE_CONVERSION_NOT_SUPPORTED'
}

/** A channel that moves to another parent goes below its siblings there. */
function placed({ channels }: Guild, now: Channel, next: Channel): Channel {
  return next.parentId === now.parentId ? next : { ...next, position: positionBelow(channels, next.parentId) }
}

function rewritten({ id: guildId }: Guild, now: Channel, next: Channel): ChannelEvent {
  const { id: channelId, overwrites: _was, ...before } = now
  const { id: _id, overwrites: _is, ...after } = next
  const changed: Partial<ChannelFields> = Object.fromEntries(Object.entries(after).filter(otherThan(before)))
  const was: Partial<ChannelFields> = Object.fromEntries(
    Object.entries(before).filter(([member]) => Object.hasOwn(changed, member)),
  )
  const data = { guildId, channelId, channelType: next.type, before: was, after: changed }
  return { type: 'ChannelChanged', data }
}

/** If only the overwrites differ, there is no event for the other attributes. */
function withOverwrites(
  guild: Guild,
  now: Channel,
  next: Channel,
  synced: readonly Channel['id'][],
): readonly ChannelEvent[] {
  const fields = rewritten(guild, now, next)
  if (sameOverwrites(now.overwrites, next.overwrites)) return [fields]
  const data = { guildId: guild.id, channelId: now.id, before: now.overwrites, after: next.overwrites, synced }
  const changed: ChannelEvent = { type: 'ChannelOverwritesChanged', data }
  return fields.type === 'ChannelChanged' && Object.keys(fields.data.after).length === 0 ? [changed] : [fields, changed]
}
