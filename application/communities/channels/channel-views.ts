import { has, type Channel } from '../../../domain/guild/channel.js'
import type { Guild } from '../../../domain/guild/state.js'
import { viewerOf, type Caller } from '../../caller.js'
import {
  channelObjects,
  type ChannelObject,
  type LastMessages,
} from '../../wire-objects/communities/channel-objects.js'
import type { Messages } from '../../ports/messages.js'
import type { Ports } from '../../ports.js'

type Needs = Pick<Ports, 'messages'>

/** The HTTP objects of guild channels, in the given order. */
export async function channelViews(
  { messages }: Needs,
  caller: Caller,
  guild: Pick<Guild, 'id'>,
  channels: readonly Channel[],
): Promise<readonly ChannelObject[]> {
  const last = await lastMessagesOf(messages, channels)
  return channelObjects(channels, guild, viewerOf(caller), last)
}

/** The newest messages of those of the channels that have any. */
export async function lastMessagesOf(
  messages: Pick<Messages, 'lastOf'>,
  channels: readonly Channel[],
): Promise<LastMessages> {
  const written = channels.filter(({ type }) => has(type, 'messages')).map(({ id }) => id)
  return written.length === 0 ? none : messages.lastOf(written)
}

const none: LastMessages = new Map()

/** The same for one channel. */
export async function channelView(
  ports: Needs,
  caller: Caller,
  guild: Pick<Guild, 'id'>,
  channel: Channel,
): Promise<ChannelObject> {
  const [view] = await channelViews(ports, caller, guild, [channel])
  if (!view) throw new Error('A channel has no object')
  return view
}
