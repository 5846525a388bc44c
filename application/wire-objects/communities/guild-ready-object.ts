import { z } from 'zod'
import type { Channel } from '../../../domain/guild/channel.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { Expressions } from '../../../domain/guild-expressions/state.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Membership } from '../../../domain/membership/state.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { gatewayChannelObject, type LastMessages, channelSchema } from './channel-objects.ts'
import { emojiObject, emojiSchema, stickersIn, stickerSchema } from './expression-objects.ts'
import { guildObject, roleObjects, type Viewer, guildSchema, roleSchema } from './guild-objects.ts'
import { memberObject, memberSchema } from './member-objects.ts'
import { snowflakeOutput, timestampOutput } from '../scalars.ts'
import { threadInReadySchema, type ThreadInReadyObject } from '../conversations/thread-objects.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

/** A guild as READY and GUILD_CREATE have it. For a bot, the members of `properties` stand beside it too. */
export const guildReadySchema = wireObject('GuildReady', {
  ...guildSchema.partial().shape,
  id: snowflakeOutput,
  properties: guildSchema,
  roles: z.array(roleSchema),
  channels: z.array(channelSchema),
  emojis: z.array(emojiSchema),
  stickers: z.array(stickerSchema),
  members: z.array(memberSchema).meta({ description: 'Only the receiving member.' }),
  member_count: z.int().describe('All members.'),
  online_count: z.int().describe('Members that are online.'),
  presences: z.array(z.never()),
  voice_states: z.array(z.never()),
  joined_at: timestampOutput,
  threads: z.array(threadInReadySchema).optional(),
})

export type GuildReadyObject = ObjectOf<typeof guildReadySchema>

/** A guild that is unavailable to all its members. */
export const unavailableGuildSchema = wireObject('UnavailableGuild', {
  id: snowflakeOutput,
  unavailable: z.literal(true),
  unavailable_hidden: z.literal(true).optional(),
})

export type UnavailableGuildObject = ObjectOf<typeof unavailableGuildSchema>

/** In READY, a member's user is its id alone: the account stands in `users`. */
export const guildInReadySchema = guildReadySchema.extend({
  members: z.array(memberSchema.extend({ user: z.object({ id: snowflakeOutput }) })),
})

export type GuildInReadyObject = ObjectOf<typeof guildInReadySchema>

/** The parts of a guild ready object: a guild as one member sees it. */
export interface GuildReadyParts {
  readonly guild: Guild
  readonly expressions: Expressions
  /** The channels that the member can view. */
  readonly channels: readonly Channel[]
  readonly member: Membership
  readonly account: AccountRecord
  readonly memberCount: number
  readonly onlineCount: number
  /** The active threads shown to the member. */
  readonly threads: readonly ThreadInReadyObject[]
  readonly now: Timestamp
  readonly lastMessages: LastMessages
}

/**
 * A guild as GUILD_CREATE and GUILD_SYNC have it. Its members list only the receiving member; parts that are not
 * implemented yet have their empty form. Libraries for bots read the guild's name and owner beside its id (decision 221).
 */
export function guildReadyObject(parts: GuildReadyParts, viewer: Viewer): GuildReadyObject {
  const { guild, channels, member, account, now } = parts
  const { emojis, stickers } = parts.expressions
  const properties = guildObject(guild)
  return objectOf(guildReadySchema, {
    ...(account.bot ? properties : {}),
    id: guild.id,
    properties,
    roles: roleObjects(guild, viewer),
    channels: channels.map((channel) =>
      gatewayChannelObject(channel, guild, viewer, parts.lastMessages.get(channel.id)),
    ),
    emojis: emojis.map(emojiObject),
    stickers: stickers.map(stickersIn(guild.id)),
    members: [memberObject(member, account, now)],
    member_count: parts.memberCount,
    online_count: parts.onlineCount,
    presences: [],
    voice_states: [],
    joined_at: member.joinedAt,
    ...(viewer.threadAccess ? { threads: parts.threads } : {}),
  })
}

/** The same in READY, where each member's `user` is reduced to its id. */
export function guildInReadyObject(parts: GuildReadyParts, viewer: Viewer): GuildInReadyObject {
  const { member, account, now } = parts
  return objectOf(guildInReadySchema, {
    ...guildReadyObject(parts, viewer),
    members: [{ ...memberObject(member, account, now), user: { id: account.id } }],
  })
}

/** The object of an unavailable guild. It says that it is hidden only if it is. */
export function unavailableGuildObject({ id, features }: Pick<Guild, 'id' | 'features'>): UnavailableGuildObject {
  return objectOf(unavailableGuildSchema, {
    id,
    unavailable: true,
    ...(features.includes('UNAVAILABLE_HIDDEN') ? { unavailable_hidden: true } : {}),
  })
}
