import type { ChannelId } from '../../../ids/ids.ts'
import { accept, refuse, type Decision } from '../../../kernel/decider.ts'
import { refusalOf, type GuildActor } from '../../../permissions/authority.ts'
import type { Channel } from '../../channel.ts'
import type { RemoveOverwrite, SetOverwrite } from '../../channel-commands.ts'
import type { GuildEvent } from '../../events.ts'
import { tooManyOverwrites } from '../../overwrite-bounds.ts'
import type { Guild, GuildState } from '../../state.ts'
import { inSyncWith, overwritesRefusal, writtenOverwrites } from './written-overwrites.ts'

/**
 * Sets the overwrite of a role or member; the event follows even if nothing differs. Refuses with UNKNOWN_CHANNEL;
 * MISSING_PERMISSIONS or TWO_FACTOR_REQUIRED without MANAGE_ROLES in the channel; UNKNOWN_ROLE; INVALID_FORM_BODY if
 * the channel or its guild has the maximum number; and MISSING_PERMISSIONS for changing a bit that the actor does not
 * hold there (rules/roles-and-permissions#overwrites).
 */
export function setOverwrite(state: GuildState, command: SetOverwrite): Decision<GuildEvent> {
  return inChannel(state, command, (guild, channel) => {
    const { overwrite, undeclaredBits, by } = command
    const { overwrites } = channel
    const others = overwrites.filter(({ id }) => id !== overwrite.id)
    if (overwrite.type === 0 && !guild.roles.some(({ id }) => id === overwrite.id)) return refuse('UNKNOWN_ROLE')
    return rewritten(guild, by, channel, [...others, ...writtenOverwrites([overwrite], overwrites, undeclaredBits)])
  })
}

/** Removes an overwrite; does nothing if there is none. Refuses as `setOverwrite` does. */
export function removeOverwrite(state: GuildState, command: RemoveOverwrite): Decision<GuildEvent> {
  return inChannel(state, command, (guild, channel) => {
    const others = channel.overwrites.filter(({ id }) => id !== command.overwriteId)
    if (others.length === channel.overwrites.length) return accept()
    return rewritten(guild, command.by, channel, others)
  })
}

function inChannel(
  state: GuildState,
  { by, channelId }: { readonly by: GuildActor; readonly channelId: ChannelId },
  decide: (guild: Guild, channel: Channel) => Decision<GuildEvent>,
): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  const channel = state.channels.find(({ id }) => id === channelId)
  if (!channel) return refuse('UNKNOWN_CHANNEL')
  const missing = refusalOf(state, by, 'MANAGE_ROLES', channel.overwrites)
  return missing ? refuse(missing) : decide(state, channel)
}

function rewritten(
  guild: Guild,
  by: GuildActor,
  channel: Channel,
  overwrites: Channel['overwrites'],
): Decision<GuildEvent> {
  const { id: channelId, overwrites: before } = channel
  const synced = inSyncWith(guild, channel)
  const write = { before: before.length, after: overwrites.length, channels: 1 + synced.length }
  const refused = tooManyOverwrites(guild, write) ?? overwritesRefusal(guild, by, before, overwrites)
  if (refused) return refuse(refused)
  const data = { guildId: guild.id, channelId, before, after: overwrites, synced }
  return accept({ type: 'ChannelOverwritesChanged', data })
}
