import { gatewayChannelObject } from '../../application/objects/guild-ready-object.js'
import { roleObject } from '../../application/objects/guild-objects.js'
import type { Known } from '../events/known-event.js'
import { needsThreads } from '../../domain/permissions/viewable-channels.js'
import { visibleChannels } from '../visibility/visible-channels.js'
import { perViewer, type Telling } from './dispatch.js'

/** A guild has a role more: GUILD_ROLE_CREATE. */
export function roleCreated({ data }: Known<'RoleCreated'>): Telling {
  const { guildId, role } = data
  return {
    accounts: [],
    dispatches: () => [
      {
        t: 'GUILD_ROLE_CREATE',
        guildId,
        audience: { kind: 'guild' },
        body: perViewer((viewer) => ({ guild_id: guildId, role: roleObject(role, viewer) })),
      },
    ],
  }
}

/** A guild has a channel more: CHANNEL_CREATE to those who can view it. */
export function channelCreated({ data }: Known<'ChannelCreated'>): Telling {
  const { guildId, channel } = data
  return {
    accounts: [],
    dispatches: () => [
      {
        t: 'CHANNEL_CREATE',
        guildId,
        audience: {
          kind: 'guild',
          needs: (guild, member) =>
            visibleChannels(guild, member, { threadAccess: true }).some(({ id }) => id === channel.id),
        },
        threadAccessOnly: needsThreads(channel.type),
        body: perViewer((viewer) => gatewayChannelObject(channel, { id: guildId }, viewer)),
      },
    ],
  }
}
