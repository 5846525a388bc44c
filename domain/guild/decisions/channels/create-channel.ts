import { accept, refuse, refuseWith, type Decision } from '../../../kernel/decider.ts'
import { field } from '../../../kernel/refusal.ts'
import { lacking, refusalOf } from '../../../permissions/authority.ts'
import type { Overwrite } from '../../../permissions/compute-permissions.ts'
import { has, type Channel } from '../../channel.ts'
import type { CreateChannel } from '../../channel-commands.ts'
import { positionBelow } from '../../channel-order.ts'
import type { GuildEvent } from '../../events.ts'
import { tooManyOverwrites } from '../../overwrite-bounds.ts'
import type { Guild, GuildState } from '../../state.ts'
import { plainChannel } from '../../layout.ts'
import { seesNamed } from './in-sight.ts'
import { parentFault, wishedChannel } from './wished-channel.ts'
import { overwritesRefusal, writtenOverwrites } from './written-overwrites.ts'

/**
 * Creates a channel below its siblings; an existing one is not created again. Without overwrites of its own it copies
 * those of its category. Refuses with MISSING_PERMISSIONS or TWO_FACTOR_REQUIRED without MANAGE_CHANNELS, for
 * overwrites without MANAGE_ROLES, and for a voice region without UPDATE_RTC_REGION; MISSING_PERMISSIONS below a
 * category that the actor cannot view; INVALID_FORM_BODY for an invalid parent or name, and for more overwrites,
 * including copied ones, than a channel or the guild may have; MAX_GUILD_CHANNELS, MAX_CATEGORY_CHANNELS
 * (rules/channels#create).
 */
export function createChannel(state: GuildState, command: CreateChannel): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  const { by, channelId: id, wishes, limits } = command
  if (state.channels.some((channel) => channel.id === id)) return accept()
  const { type, parentId = null, overwrites } = wishes
  const choosesRegion = has(type, 'voice') && (wishes.rtcRegion ?? null) !== null
  const missing =
    refusalOf(state, by, 'MANAGE_CHANNELS') ??
    (overwrites && refusalOf(state, by, 'MANAGE_ROLES')) ??
    (choosesRegion ? refusalOf(state, by, 'UPDATE_RTC_REGION') : undefined)
  if (missing) return refuse(missing)
  if (!seesNamed(state, command, [parentId])) return refuse(lacking('VIEW_CHANNEL'))
  const fault = parentFault(state.channels, type, parentId)
  if (fault) return refuse('INVALID_FORM_BODY', fault)
  const plain: Channel = {
    ...plainChannel,
    id,
    type,
    name: '',
    parentId,
    position: positionBelow(state.channels, parentId),
  }
  const channel = { ...wishedChannel(plain, wishes, state), overwrites: overwritesOf(state, command) }
  if (channel.name === '') return refuse('INVALID_FORM_BODY', field('name', 'NAME_EMPTY_AFTER_NORMALIZATION'))
  const refused =
    tooManyOverwrites(state, { before: 0, after: channel.overwrites.length, channels: 1 }) ??
    (overwrites && overwritesRefusal(state, by, [], channel.overwrites, categorysOverwrites(state, parentId)))
  if (refused) return refuse(refused)
  if (state.channels.length >= limits.channels_max)
    return refuseWith('MAX_GUILD_CHANNELS', { max_guild_channels: limits.channels_max })
  if (isFull(state, parentId, limits.channelsPerCategory_max))
    return refuseWith('MAX_CATEGORY_CHANNELS', { max_channels_per_category: limits.channelsPerCategory_max })
  return accept({ type: 'ChannelCreated', data: { guildId: state.id, channel, founding: false } })
}

/** Whether a category is full. */
export function isFull({ channels }: Pick<Guild, 'channels'>, parentId: Channel['parentId'], max: number): boolean {
  return parentId !== null && channels.filter((channel) => channel.parentId === parentId).length >= max
}

function overwritesOf(guild: Guild, { wishes, undeclaredBits }: CreateChannel): readonly Overwrite[] {
  if (wishes.overwrites) return writtenOverwrites(wishes.overwrites, [], undeclaredBits)
  return categorysOverwrites(guild, wishes.parentId ?? null)
}

function categorysOverwrites({ channels }: Guild, category: Channel['parentId']): readonly Overwrite[] {
  return channels.find(({ id }) => id === category)?.overwrites ?? []
}
