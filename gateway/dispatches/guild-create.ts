import { isUnavailable } from '../../domain/guild/state.js'
import { guildReadyObject, type GuildReadyParts } from '../../application/objects/guild-ready-object.js'
import type { Viewer } from '../../application/objects/guild-objects.js'
import { isStaff } from '../../application/objects/user-objects.js'
import type { Link } from '../visibility/room.js'
import { visibleChannels } from '../visibility/visible-channels.js'
import { byAccount, perViewer, type Dispatch, type Scene } from './dispatch.js'

/** The parts of a guild ready object, for one session of one of its members. */
export function guildReadyParts({ room, member, session }: Link, viewer: Viewer, onlineCount: number): GuildReadyParts {
  const { guild, memberCount } = room
  const channels = visibleChannels(guild, member, viewer)
  return { guild, channels, member, account: session.account, memberCount, onlineCount }
}

/** GUILD_CREATE to sessions of members: the guild ready object, as their account finds the guild (reference gateway 2.3). */
export function guildCreates(links: readonly Link[], scene: Scene): readonly Dispatch[] {
  const reachable = links.filter(({ room, session }) => !isUnavailable(room.guild, isStaff(session.account)))
  return byAccount(reachable, ({ session }) => session).map((group): Dispatch => {
    const [link] = group
    return {
      t: 'GUILD_CREATE',
      guildId: link.room.id,
      audience: { kind: 'sessions', sessions: group.map(({ session }) => session) },
      body: perViewer((viewer) => {
        const parts = guildReadyParts(link, viewer, scene.onlineCount(link.room.id))
        return guildReadyObject(parts, viewer)
      }),
    }
  })
}
