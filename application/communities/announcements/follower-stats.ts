import type { ChannelId } from '../../../domain/ids/ids.ts'
import { lacking } from '../../../domain/permissions/authority.ts'
import { requireChannel } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { followerStatsObject, type FollowerStatsObject } from '../../wire-objects/communities/announcement-objects.ts'
import { requireAnnouncements } from './announcement-channel.ts'

/** How many channels follow an announcement channel that the caller sees. Refuses as `requireChannel`; rules/webhooks#follow. */
export function readFollowerStats(ports: Pick<Ports, 'queries'>) {
  return async (caller: Caller, channelId: ChannelId): Promise<FollowerStatsObject> => {
    const { channel, can } = await requireChannel(ports, caller, channelId)
    if (!can('VIEW_CHANNEL')) reject(lacking('VIEW_CHANNEL'))
    requireAnnouncements(channel)
    const followers = await ports.queries.webhooks.following(channelId)
    return followerStatsObject(followers.map(({ guildId }) => guildId))
  }
}
