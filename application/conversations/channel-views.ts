import { has, type Channel } from '../../domain/guild/channel.ts'
import type { Guild } from '../../domain/guild/state.ts'
import { viewerOf, type Caller } from '../caller.ts'
import { channelObject, type ChannelObject } from '../wire-objects/communities/channel-objects.ts'
import type { Viewer } from '../wire-objects/communities/guild-objects.ts'
import type { Ports } from '../ports.ts'

interface Needs {
  readonly messages: Pick<Ports['messages'], 'lastOf'>
}

/** The HTTP objects of guild channels, in the given order. */
export async function channelViews(
  { messages }: Needs,
  viewer: Viewer,
  guild: Pick<Guild, 'id'>,
  channels: readonly Channel[],
): Promise<readonly ChannelObject[]> {
  const written = channels.filter(({ type }) => has(type, 'messages')).map(({ id }) => id)
  const last = written.length === 0 ? undefined : await messages.lastOf(written)
  return channels.map((channel) => channelObject(channel, guild, viewer, last?.get(channel.id)))
}

/** The same for one channel, as a caller sees it. */
export async function channelView(
  ports: Needs,
  caller: Caller,
  guild: Pick<Guild, 'id'>,
  channel: Channel,
): Promise<ChannelObject> {
  const [view] = await channelViews(ports, viewerOf(caller), guild, [channel])
  if (!view) throw new Error('A channel has no object')
  return view
}
