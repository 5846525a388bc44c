import { isUnavailable } from '../../../domain/guild/state.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { heldRoles } from '../../../domain/permissions/held-roles.ts'
import type { LastMessages } from '../../../application/wire-objects/communities/channel-objects.ts'
import {
  guildReadyObject,
  type GuildReadyParts,
} from '../../../application/wire-objects/communities/guild-ready-object.ts'
import type { Viewer } from '../../../application/wire-objects/communities/guild-objects.ts'
import { isStaff } from '../../../application/wire-objects/identity/user-objects.ts'
import { dispatchFrame, type LaterFrame } from '../../protocol/frame.ts'
import { Room, type Link } from '../../visibility/room.ts'
import { shownThreads } from '../../visibility/threads.ts'
import { visibleChannels } from '../../visibility/visible-channels.ts'
import { byAccount, perViewer, type Dispatch } from '../dispatch.ts'
import type { Scene } from '../telling.ts'

/** The parts of a guild ready object for one session of a member. */
export function guildReadyParts(
  link: Link,
  viewer: Viewer,
  onlineCount: number,
  now: Timestamp,
  lastMessages: LastMessages,
): GuildReadyParts {
  const { room, member, session } = link
  const { guild, expressions, memberCount } = room
  const channels = visibleChannels(guild, member, viewer)
  const threads = shownThreads(link, now, lastMessages)
  const held = heldRoles(guild, member)
  return {
    guild,
    expressions,
    channels,
    threads,
    member: held,
    account: session.account,
    memberCount,
    onlineCount,
    now,
    lastMessages,
  }
}

/** The guild as it is now for a session, encoded when the socket is ready. Later changes are dispatched after it. */
export function laterGuild(
  t: 'GUILD_CREATE' | 'GUILD_SYNC',
  link: Link,
  onlineCount: number,
  now: Timestamp,
  lastMessages: LastMessages,
): LaterFrame {
  const { room, session, threads } = link
  const { account } = session
  const { guild, expressions, memberCount, position } = room
  const asNow: Link = { ...link, room: new Room(guild, expressions, memberCount, position), threads: threads.copy() }
  const channels = [...guild.channels.map(({ id }) => id), ...threads.keys()]
  const newest = new Map(
    channels.flatMap((id) => {
      const message = lastMessages.get(id)
      return message === undefined ? [] : [[id, message] as const]
    }),
  )
  return {
    encode: () => {
      const parts = guildReadyParts(asNow, session, onlineCount, now, newest)
      return dispatchFrame(t, guildReadyObject({ ...parts, account }, session))
    },
  }
}

/** GUILD_CREATE to sessions of members: the guild ready object as their account sees the guild. */
export function guildCreates(links: readonly Link[], scene: Scene): readonly Dispatch<'GUILD_CREATE'>[] {
  const reachable = links.filter(({ room, session }) => !isUnavailable(room.guild, isStaff(session.account)))
  return byAccount(reachable, ({ session }) => session).map((group): Dispatch<'GUILD_CREATE'> => {
    const [link] = group
    return {
      t: 'GUILD_CREATE',
      guildId: link.room.id,
      audience: { kind: 'sessions', sessions: group.map(({ session }) => session) },
      body: perViewer((viewer) => {
        const parts = guildReadyParts(link, viewer, scene.onlineCount(link.room.id), scene.now, scene.lastMessages)
        return guildReadyObject(parts, viewer)
      }),
    }
  })
}
