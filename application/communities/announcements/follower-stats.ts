import { LRUCache } from 'lru-cache'
import type { ChannelId } from '../../../domain/ids/ids.ts'
import { growsTo } from '../../../domain/kernel/grows-to.ts'
import { lacking } from '../../../domain/permissions/authority.ts'
import { requireChannel } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { followerStatsObject, type FollowerStatsObject } from '../../wire-objects/communities/announcement-objects.ts'
import { requireAnnouncements } from './announcement-channel.ts'

const countsLife_ms = 60_000
const counts_max = 10_000

/**
 * How many channels follow an announcement channel that the caller sees, as it was within the last minute. Refuses as `requireChannel`;
 * rules/webhooks#follow.
 */
export function readFollowerStats(ports: Pick<Ports, 'queries'>) {
  const counted = new LRUCache<ChannelId, FollowerStatsObject>({ ...growsTo(counts_max), ttl: countsLife_ms })
  return async (caller: Caller, channelId: ChannelId): Promise<FollowerStatsObject> => {
    const { channel, can } = await requireChannel(ports, caller, channelId)
    if (!can('VIEW_CHANNEL')) reject(lacking('VIEW_CHANNEL'))
    requireAnnouncements(channel)
    const known = counted.get(channelId)
    if (known) return known
    const followers = await ports.queries.webhooks.following(channelId)
    const stats = followerStatsObject(followers.map(({ guildId }) => guildId))
    counted.set(channelId, stats)
    return stats
  }
}
