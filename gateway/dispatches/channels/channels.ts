import type { Channel } from '../../../domain/guild/channel.ts'
import { inHierarchy } from '../../../domain/guild/channel-order.ts'
import type { ChannelId, GuildId } from '../../../domain/ids/ids.ts'
import { needsThreads } from '../../../domain/permissions/viewable-channels.ts'
import { gatewayChannelObject } from '../../../application/wire-objects/communities/channel-objects.ts'
import { guildOf, type KnownEvent } from '../../visibility/known-event.ts'
import { messageChannels } from '../../visibility/newest-messages.ts'
import type { Session } from '../../sessions/session.ts'
import type { Link, Room } from '../../visibility/room.ts'
import { sightsOf, type Sight } from '../../visibility/sight.ts'
import { perViewer, same, type Dispatch } from '../dispatch.ts'
import { preparing, type Scene, type Telling } from '../telling.ts'
import { freshTallies, threadsInSight } from './thread-sight.ts'

/**
 * The changes that any event makes to the channels that sessions see: CHANNEL_CREATE to sessions that gain one, whether
 * it is new or newly viewable; CHANNEL_UPDATE or CHANNEL_UPDATE_BULK to those that still see it, if the event is about
 * channels; CHANNEL_DELETE to those that lose one (rules/channels#sight). So the dispatches of roles, overwrites,
 * owners and parents need not cover this. Threads are told after their channel is created, and before it is deleted.
 */
export function channelsInSight(event: KnownEvent): Telling {
  if (!changingSight.has(event.type)) return { raises: [], prepare: () => (scene) => channelDispatches(event, scene) }
  return preparing(raisedBy(event), {
    prepare: async ({ lookups, newest, world }) => {
      const guild = guildOf(event)
      const room = guild && world.room(guild)
      await newest.learn(messageChannels(room?.guild))
      const renewTallies = await freshTallies(lookups, room && touchedLinks(event, room))
      return (scene) => {
        renewTallies(scene)
        return channelDispatches(event, scene)
      }
    },
  })
}

/** The events after which sessions may see other channels: then their newest messages have to be known. */
const changingSight: ReadonlySet<KnownEvent['type']> = new Set([
  'ChannelCreated',
  'ChannelChanged',
  'ChannelOverwritesChanged',
  'ChannelMoved',
  'ChannelsReordered',
  'ChannelNamesNormalised',
  'ChannelDeleted',
  'RoleCreated',
  'RoleChanged',
  'RoleDeleted',
  'OwnershipTransferred',
  'MemberRolesChanged',
])

type InSight = ChannelUpdate | 'CHANNEL_CREATE' | 'CHANNEL_DELETE' | 'THREAD_CREATE' | 'THREAD_DELETE'
type ChannelUpdate = 'CHANNEL_UPDATE' | 'CHANNEL_UPDATE_BULK'

/** Sessions may gain and lose channels and threads by each of these events; an event about channels also tells of those they keep. */
function raisedBy({ type }: KnownEvent): readonly InSight[] {
  return ['CHANNEL_CREATE', 'CHANNEL_DELETE', 'THREAD_CREATE', 'THREAD_DELETE', ...updatesBy(type)]
}

function updatesBy(type: KnownEvent['type']): readonly ChannelUpdate[] {
  switch (type) {
    case 'ChannelChanged':
    case 'ChannelOverwritesChanged':
      return ['CHANNEL_UPDATE']
    case 'ChannelMoved':
    case 'ChannelsReordered':
    case 'ChannelNamesNormalised':
    case 'ChannelDeleted':
      return ['CHANNEL_UPDATE_BULK']
    default:
      return []
  }
}

/** The links to which an event may show threads again. */
function touchedLinks(event: KnownEvent, { links }: Room): Iterable<Link> {
  if (event.type !== 'MemberRolesChanged') return links
  return [...links].filter(({ member }) => member.accountId === event.data.accountId)
}

/** What is told once the world took the event in. */
export function channelDispatches(event: KnownEvent, scene: Scene): readonly Dispatch<InSight>[] {
  const { room } = scene
  const sights = sightsOf(scene, event.position)
  if (!room || sights.length === 0) return []
  const told = { guildId: room.id, scene, sights }
  const threads = threadsInSight(event, scene)
  return [
    ...creations(told, room.guild.channels),
    ...threads.created,
    ...updates(told, event),
    ...threads.deleted,
    ...deletions(told, event),
  ]
}

interface Told {
  readonly guildId: GuildId
  readonly scene: Scene
  readonly sights: readonly Sight[]
}

/** From top to bottom, so that a category comes before its channels. */
function creations({ guildId, scene, sights }: Told, channels: readonly Channel[]): readonly Dispatch<InSight>[] {
  const gaining = sessionsBy(sights, ({ gained }) => gained)
  return inHierarchy(channels).flatMap((channel) => {
    const sessions = gaining.get(channel.id)
    return sessions ? [whole('CHANNEL_CREATE', guildId, channel, sessions, scene)] : []
  })
}

function updates(told: Told, event: KnownEvent): readonly Dispatch<InSight>[] {
  switch (event.type) {
    case 'ChannelChanged':
      return eachUpdated(told, [event.data.channelId])
    case 'ChannelOverwritesChanged':
      return eachUpdated(told, [event.data.channelId, ...event.data.synced])
    case 'ChannelMoved':
    case 'ChannelsReordered':
    case 'ChannelNamesNormalised':
      return bulkUpdated(told, () => true)
    case 'ChannelDeleted': {
      const orphans = new Set(event.data.orphans.map(({ channelId }) => channelId))
      return bulkUpdated(told, ({ id }) => orphans.has(id))
    }
    default:
      return []
  }
}

function eachUpdated({ guildId, scene, sights }: Told, ids: readonly ChannelId[]): readonly Dispatch<InSight>[] {
  const keeping = sessionsBy(sights, ({ kept }) => kept.filter(({ id }) => ids.includes(id)))
  const channels = new Map(sights.flatMap(({ kept }) => kept).map((channel) => [channel.id, channel]))
  return ids.flatMap((id) => {
    const [channel, sessions] = [channels.get(id), keeping.get(id)]
    return channel && sessions ? [whole('CHANNEL_UPDATE', guildId, channel, sessions, scene)] : []
  })
}

/** One dispatch for all that see the same; an empty list is not sent. */
function bulkUpdated(
  { guildId, scene, sights }: Told,
  isTold: (channel: Channel) => boolean,
): readonly Dispatch<InSight>[] {
  return sights.flatMap(({ sessions, threadAccess, gained, kept }): readonly Dispatch<InSight>[] => {
    const channels = inHierarchy([...gained, ...kept]).filter(isTold)
    if (channels.length === 0) return []
    const object = (channel: Channel) =>
      gatewayChannelObject(channel, { id: guildId }, { threadAccess }, scene.lastMessages.get(channel.id))
    const body = same({ guild_id: guildId, channels: channels.map(object) })
    return [{ t: 'CHANNEL_UPDATE_BULK', guildId, audience: { kind: 'sessions', sessions }, body }]
  })
}

/**
 * A deleted channel is sent as it was. A channel that exists but is no longer viewable is sent by its identity alone.
 * From bottom to top.
 */
function deletions({ guildId, scene, sights }: Told, event: KnownEvent): readonly Dispatch<InSight>[] {
  const losing = sessionsBy(sights, ({ lost }) => lost)
  const isDeleted = (id: ChannelId): boolean => event.type === 'ChannelDeleted' && event.data.channel.id === id
  const channels = losing.size === 0 ? [] : inHierarchy(scene.was?.channels ?? []).toReversed()
  return channels.flatMap((channel): readonly Dispatch<InSight>[] => {
    const { id } = channel
    const sessions = losing.get(id)
    if (!sessions) return []
    if (isDeleted(id)) return [whole('CHANNEL_DELETE', guildId, channel, sessions, scene)]
    const body = same({ id, guild_id: guildId })
    return [{ t: 'CHANNEL_DELETE', guildId, audience: { kind: 'sessions', sessions }, body }]
  })
}

function whole<Name extends InSight>(
  t: Name,
  guildId: GuildId,
  channel: Channel,
  sessions: readonly Session[],
  { lastMessages }: Scene,
): Dispatch<Name> {
  return {
    t,
    guildId,
    audience: { kind: 'sessions', sessions },
    threadAccessOnly: needsThreads(channel.type),
    body: perViewer((viewer) => gatewayChannelObject(channel, { id: guildId }, viewer, lastMessages.get(channel.id))),
  }
}

/** For each channel, the sessions to notify. Channels of the same sights share one list, since there may be many of both. */
function sessionsBy(
  sights: readonly Sight[],
  channelsIn: (sight: Sight) => readonly Channel[],
): ReadonlyMap<ChannelId, readonly Session[]> {
  const seeing = new Map<ChannelId, Sight[]>()
  for (const sight of sights) {
    for (const { id } of channelsIn(sight)) {
      const found = seeing.get(id)
      if (found) found.push(sight)
      else seeing.set(id, [sight])
    }
  }
  const ordinals = new Map(sights.map((sight, ordinal) => [sight, ordinal]))
  const lists = new Map<string, readonly Session[]>()
  return new Map(
    [...seeing].map(([id, together]) => {
      const key = together.map((sight) => ordinals.get(sight)).join(' ')
      const sessions = lists.get(key) ?? together.flatMap((sight) => sight.sessions)
      lists.set(key, sessions)
      return [id, sessions]
    }),
  )
}
