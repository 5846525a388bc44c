import { isUnavailable } from '../../domain/guild/state.ts'
import type { ChannelId, GuildId, MessageId } from '../../domain/ids/ids.ts'
import type { MessageNotice } from '../../application/ports/messages.ts'
import { isPassive } from '../dispatches/deliver.ts'
import type { EventLoop } from '../events/event-loop.ts'
import { dispatchFrame } from '../protocol/frame.ts'
import { isOnShard } from '../protocol/identify.ts'
import type { Ticker } from '../ticker.ts'
import { alwaysActiveMembers_max, perVisibilityClass, type Room } from '../visibility/room.ts'
import { visibleChannels } from '../visibility/visible-channels.ts'
import type { World } from '../visibility/world.ts'

export interface PassiveUpdatesSettings {
  readonly world: World
  readonly ticker: Ticker
  readonly loop: Pick<EventLoop, 'run'>
  /** Called with the number of sessions that got each dispatch. */
  readonly onDispatched: (sessions: number) => void
}

type Newest = ReadonlyMap<ChannelId, MessageId>

/** How long new messages of a guild are collected before its passive sessions are told which channels have some. */
export const passiveUpdates_ms = 30_000

/**
 * Tells passive sessions of large guilds which channels have new messages: PASSIVE_UPDATES, at most once per 30 seconds
 * and guild. Call it with every notice; it ignores those of small guilds, of threads, and of anything but new messages.
 */
export function passiveUpdates(settings: PassiveUpdatesSettings): (notice: MessageNotice) => void {
  const { world, ticker, loop, onDispatched } = settings
  const gathered = new Map<GuildId, Map<ChannelId, MessageId>>()
  const tell = async (guild: GuildId): Promise<void> => {
    const newest = gathered.get(guild)
    gathered.delete(guild)
    const room = world.room(guild)
    if (room && newest) onDispatched(tellPassive(room, newest))
  }
  return (notice) => {
    const { guildId, channelId, parentId } = notice
    if (notice.kind !== 'created' || guildId === null || parentId !== null) return
    if ((world.room(guildId)?.memberCount ?? 0) <= alwaysActiveMembers_max) return
    const known = gathered.get(guildId)
    if (!known) ticker.after(passiveUpdates_ms, () => void loop.run(() => tell(guildId)))
    gathered.set(guildId, (known ?? new Map<ChannelId, MessageId>()).set(channelId, notice.messageId))
  }
}

/** Gives the number of sessions notified: sessions that see none of the channels get nothing. */
function tellPassive(room: Room, newest: Newest): number {
  const { guild } = room
  if (isUnavailable(guild, false)) return 0
  const frameOf = perVisibilityClass(({ member }) => {
    const channels = visibleChannels(guild, member, { threadAccess: true }).flatMap(({ id }) => {
      const message = newest.get(id)
      return message === undefined ? [] : [[id, message] as const]
    })
    if (channels.length === 0) return undefined
    return dispatchFrame('PASSIVE_UPDATES', { guild_id: guild.id, channels: Object.fromEntries(channels) })
  })
  let count = 0
  for (const link of room.links) {
    const frame = isPassive(link) && isOnShard(link.session.shard, guild.id) ? frameOf(link) : undefined
    if (!frame) continue
    link.session.dispatch('PASSIVE_UPDATES', frame)
    count += 1
  }
  return count
}
