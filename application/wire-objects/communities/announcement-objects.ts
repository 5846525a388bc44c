import { z } from 'zod'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'
import { snowflakeOutput } from '../scalars.ts'

/** A following: the announcement channel, and the webhook that brings its messages. */
export const followedChannelSchema = wireObject('FollowedChannel', {
  channel_id: snowflakeOutput,
  webhook_id: snowflakeOutput,
})

export type FollowedChannelObject = ObjectOf<typeof followedChannelSchema>

/** How far an announcement channel reaches. */
export const followerStatsSchema = wireObject('FollowerStats', {
  channel_count: z.int().describe('How many channels follow it.'),
  guild_count: z.int().describe('In how many guilds they are.'),
})

export type FollowerStatsObject = ObjectOf<typeof followerStatsSchema>

/** How many channels of how many guilds follow. */
export function followerStatsObject(guilds: readonly string[]): FollowerStatsObject {
  return objectOf(followerStatsSchema, { channel_count: guilds.length, guild_count: new Set(guilds).size })
}
