import type { ChannelId } from '../../domain/ids/ids.ts'
import type { Membership } from '../../domain/membership/state.ts'
import { viewableChannels } from '../../domain/permissions/viewable-channels.ts'
import type { Room } from '../visibility/room.ts'

const everyChannel = { threadAccess: true }

/**
 * Checks whether two members of a guild can view a common channel. Computed once for all members with the same rights;
 * use it for a single update.
 */
export function sharedSight(): (room: Room, one: Membership, other: Membership) => boolean {
  const viewed = new Map<Room, Map<string, ReadonlySet<ChannelId>>>()
  const judged = new Map<Room, Map<string, boolean>>()
  const viewedBy = (room: Room, name: string, member: Membership): ReadonlySet<ChannelId> =>
    remembered(
      viewed,
      room,
      name,
      () => new Set(viewableChannels(room.guild, member, everyChannel).map(({ id }) => id)),
    )
  return (room, one, other) => {
    const [name, otherName] = [room.classOf(one), room.classOf(other)]
    return remembered(judged, room, `${name}, ${otherName}`, () => {
      const channels = viewedBy(room, otherName, other)
      return [...viewedBy(room, name, one)].some((channel) => channels.has(channel))
    })
  }
}

function remembered<Value>(known: Map<Room, Map<string, Value>>, room: Room, name: string, make: () => Value): Value {
  const values = known.get(room) ?? new Map<string, Value>()
  known.set(room, values)
  const value = values.get(name) ?? make()
  values.set(name, value)
  return value
}
