import type { ChannelId, GuildId } from '../../../domain/ids/ids.ts'
import { computePermissions, holds } from '../../../domain/permissions/compute-permissions.ts'
import type { WebhookEvent } from '../../../domain/webhook/events.ts'
import type { Known } from '../../visibility/known-event.ts'
import { same, type Dispatch } from '../dispatch.ts'
import { telling, type Telling } from '../telling.ts'

/**
 * A webhook was created, changed or deleted: WEBHOOKS_UPDATE to those who view its channel, and for a move to those who view the other
 * one. It says no more than that something changed: whoever manages webhooks reads their list again.
 */
export function webhooksChanged({ data }: Known<WebhookEvent['type']>): Telling {
  const { guildId, channelId } = data
  const moved = 'after' in data ? data.after.channelId : undefined
  const channels = [channelId, ...(moved === undefined ? [] : [moved])]
  return telling(['WEBHOOKS_UPDATE'], () => channels.map((id) => changedIn(guildId, id)))
}

function changedIn(guildId: GuildId, channelId: ChannelId): Dispatch<'WEBHOOKS_UPDATE'> {
  return {
    t: 'WEBHOOKS_UPDATE',
    guildId,
    audience: {
      kind: 'guild',
      needs: (guild, member) => {
        const channel = guild.channels.find(({ id }) => id === channelId)
        return channel !== undefined && holds(computePermissions(guild, member, channel.overwrites), 'VIEW_CHANNEL')
      },
    },
    body: same({ guild_id: guildId, channel_id: channelId }),
  }
}
