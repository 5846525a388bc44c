import type { ChannelMove, CreateChannel } from '../../../domain/guild/channel-commands.ts'
import { channelId, type GuildId } from '../../../domain/ids/ids.ts'
import { viewableChannels } from '../../../domain/permissions/viewable-channels.ts'
import { requireGuild, requirePermission } from '../../access/guild-access.ts'
import { undeclaredBitsOf, viewerOf, type Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { ChannelObject } from '../../wire-objects/communities/channel-objects.ts'
import type { Ports } from '../../ports.ts'
import { channelLimitsOf } from './channel-limits.ts'
import { channelView, channelViews } from '../../conversations/channel-views.ts'
import { withTagIds, type WishesOfClient } from './tag-ids.ts'

type ReadNeeds = Pick<Ports, 'messages' | 'queries'>
type ChangeNeeds = ReadNeeds & Pick<Ports, 'aggregates' | 'limits'>

/** The channels that the caller can view, in channel order. Refuses as `requireGuild` does. */
export function listGuildChannels(ports: ReadNeeds) {
  return async (caller: Caller, guildId: GuildId): Promise<readonly ChannelObject[]> => {
    const { guild, member } = await requireGuild(ports, caller, guildId)
    const viewer = viewerOf(caller)
    return channelViews(ports, viewer, guild, viewableChannels(guild, member, viewer))
  }
}

/** Creates a channel. Refuses as `requireGuild` and CreateChannel do. See rules/channels#create. */
export function createGuildChannel(ports: ChangeNeeds) {
  return async (
    caller: Caller,
    guildId: GuildId,
    given: WishesOfClient<CreateChannel['wishes']>,
  ): Promise<ChannelObject> => {
    const access = await requireGuild(ports, caller, guildId)
    requirePermission(access, 'MANAGE_CHANNELS')
    const { guild, actor: by } = access
    const id = channelId(caller.context.newId())
    const wishes = withTagIds(given, caller.context)
    const limits = await channelLimitsOf(ports, guild)
    const undeclaredBits = undeclaredBitsOf(caller)
    const viewer = viewerOf(caller)
    const command = { type: 'CreateChannel', by, viewer, channelId: id, wishes, limits, undeclaredBits } as const
    const { state } = await ports.aggregates.guild.execute(guildId, command, caller.context)
    const channel = state.status === 'active' ? state.channels.find((one) => one.id === id) : undefined
    return channel ? channelView(ports, caller, guild, channel) : reject('UNKNOWN_CHANNEL')
  }
}

/** Moves channels. Refuses as `requireGuild` and ReorderChannels do. See rules/channels#reorder. */
export function reorderGuildChannels(ports: ChangeNeeds) {
  return async (caller: Caller, guildId: GuildId, moves: readonly ChannelMove[]): Promise<void> => {
    const access = await requireGuild(ports, caller, guildId)
    requirePermission(access, 'MANAGE_CHANNELS')
    const limits = await channelLimitsOf(ports, access.guild)
    const command = { type: 'ReorderChannels', by: access.actor, viewer: viewerOf(caller), moves, limits } as const
    await ports.aggregates.guild.execute(guildId, command, caller.context)
  }
}
