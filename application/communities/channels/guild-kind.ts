import { channelTypes } from '../../../domain/guild/channel.ts'
import { findChannel, requireInSight, requirePermission, type ChannelAccess } from '../../access/guild-access.ts'
import { requireAge } from '../../access/require-age.ts'
import { undeclaredBitsOf, viewerOf, type Caller } from '../../caller.ts'
import { eventIdOf } from '../../commands/command-context.ts'
import { followingContext } from '../../commands/following-context.ts'
import { reject } from '../../commands/refused.ts'
import { streamName } from '../../../domain/streams.ts'
import type { ChannelObject } from '../../wire-objects/communities/channel-objects.ts'
import type { Ports } from '../../ports.ts'
import type { ChannelBody, ChannelKind } from './found-channel.ts'
import { channelView } from '../../conversations/channel-views.ts'
import { channelLimitsOf } from './channel-limits.ts'
import { removeMessagesOfChannel } from './remove-messages.ts'
import { withTagIds } from './tag-ids.ts'

/**
 * Channels of guilds. Every operation needs a channel that the caller can view: else MISSING_PERMISSIONS.
 * `requireChannel` says which refusals finding one has (rules/channels#reach).
 */
export const guildKind: ChannelKind = (ports) => async (caller, channelId) => {
  const access = await findChannel(ports, caller, channelId)
  if (!access) return undefined
  requireInSight(access, caller)
  return {
    read: () => read(ports, caller, access),
    change: (body) => change(ports, caller, access, body),
    delete: () => remove(ports, caller, access),
  }
}

/** Refuses with NSFW_CONTENT_AGE_RESTRICTED. */
async function read(ports: Ports, caller: Caller, { guild, channel }: ChannelAccess): Promise<ChannelObject> {
  requireAge(guild, channel, caller)
  return channelView(ports, caller, guild, channel)
}

/** What follows others brings their messages and publishes none: 400 CHANNEL_HAS_FOLLOWED_CHANNELS. */
async function requireFollowingNone({ queries }: Pick<Ports, 'queries'>, { id, type }: ChannelAccess['channel']) {
  if (type !== channelTypes.text) return
  const webhooks = await queries.webhooks.ofChannel(id)
  if (webhooks.some(({ source }) => source !== null)) reject('CHANNEL_HAS_FOLLOWED_CHANNELS')
}

/** Refuses with CHANNEL_HAS_FOLLOWED_CHANNELS for a new announcement channel, and as ChangeChannel does. */
async function change(ports: Ports, caller: Caller, access: ChannelAccess, body: ChannelBody): Promise<ChannelObject> {
  const wishes = withTagIds(body.ofGuildChannel(), caller.context)
  requirePermission(access, 'MANAGE_CHANNELS')
  const { guild, channel, actor: by } = access
  if (wishes.type === channelTypes.announcement) await requireFollowingNone(ports, channel)
  const limits = await channelLimitsOf(ports, guild)
  const undeclaredBits = undeclaredBitsOf(caller)
  const viewer = viewerOf(caller)
  const command = { type: 'ChangeChannel', by, viewer, channelId: channel.id, wishes, limits, undeclaredBits } as const
  const { state } = await ports.aggregates.guild.execute(guild.id, command, caller.context)
  const changed = state.status === 'active' ? state.channels.find(({ id }) => id === channel.id) : undefined
  return changed ? channelView(ports, caller, guild, changed) : reject('UNKNOWN_CHANNEL')
}

/** Its messages are deleted afterwards. If the process dies before that, a process manager continues. */
async function remove(ports: Ports, { context }: Caller, { guild, channel, actor: by }: ChannelAccess): Promise<void> {
  const command = { type: 'DeleteChannel', by, channelId: channel.id } as const
  await ports.aggregates.guild.execute(guild.id, command, context)
  const deletion = eventIdOf(context, streamName('guild', guild.id), command.type, 0)
  const following = followingContext(context, deletion)
  ports.deferred.run(() => removeMessagesOfChannel(ports, { guildId: guild.id, channel }, following))
}
