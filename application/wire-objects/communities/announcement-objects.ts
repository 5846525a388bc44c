import { z } from 'zod'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { DiscoveryRecord } from '../../ports/queries/discovery-queries.ts'
import { imageHashOutput, snowflakeOutput } from '../scalars.ts'
import { guildObject } from './guild-objects.ts'

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

/** The guild that a copy of a published message comes from, as those see it who read the copy. */
export const crosspostSourceSchema = wireObject('CrosspostSource', {
  guild: z.object({
    id: snowflakeOutput,
    name: z.string(),
    icon: imageHashOutput,
    banner: imageHashOutput,
    description: z.string().nullable().describe('What it says of itself in the directory; null while it is not there.'),
    features: z.array(z.string()),
    approximate_member_count: z.int().describe('How many members it has.'),
    approximate_presence_count: z.int().describe('Members that are online.'),
    discoverable: z.boolean().describe('Whether it is in the directory.'),
  }),
})

export type CrosspostSourceObject = ObjectOf<typeof crosspostSourceSchema>

/** `listing`: its application to the directory, where that is approved. */
export function crosspostSourceObject({
  guild,
  memberCount,
  onlineCount,
  listing,
}: {
  readonly guild: Guild
  readonly memberCount: number
  readonly onlineCount: number
  readonly listing: DiscoveryRecord | undefined
}): CrosspostSourceObject {
  const { id, name, icon, banner, features } = guildObject(guild)
  return objectOf(crosspostSourceSchema, {
    guild: {
      id,
      name,
      icon,
      banner,
      description: listing?.listing.description ?? null,
      features,
      approximate_member_count: memberCount,
      approximate_presence_count: onlineCount,
      discoverable: listing !== undefined,
    },
  })
}
