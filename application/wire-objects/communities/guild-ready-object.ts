import type { Channel } from '../../../domain/guild/channel.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Membership } from '../../../domain/membership/state.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { gatewayChannelObject, type LastMessages } from './channel-objects.ts'
import { guildObject, roleObjects, type Viewer } from './guild-objects.ts'
import { memberObject } from './member-objects.ts'

/** The parts of a guild ready object: a guild as one member sees it. */
export interface GuildReadyParts {
  readonly guild: Guild
  /** The channels that the member can view. */
  readonly channels: readonly Channel[]
  readonly member: Membership
  readonly account: AccountRecord
  readonly memberCount: number
  readonly onlineCount: number
  /** The active threads shown to the member. */
  readonly threads: readonly object[]
  readonly now: Timestamp
  readonly lastMessages: LastMessages
}

/**
 * A guild as GUILD_CREATE and GUILD_SYNC have it. Its members list only the receiving member; parts that are not
 * implemented yet have their empty form.
 */
export function guildReadyObject(parts: GuildReadyParts, viewer: Viewer) {
  const { guild, channels, member, account, now } = parts
  return {
    id: guild.id,
    properties: guildObject(guild),
    roles: roleObjects(guild, viewer),
    channels: channels.map((channel) =>
      gatewayChannelObject(channel, guild, viewer, parts.lastMessages.get(channel.id)),
    ),
    emojis: [] as readonly object[],
    stickers: [] as readonly object[],
    members: [memberObject(member, account, now)] as readonly object[],
    member_count: parts.memberCount,
    online_count: parts.onlineCount,
    presences: [] as readonly object[],
    voice_states: [] as readonly object[],
    joined_at: member.joinedAt,
    ...(viewer.threadAccess ? { threads: parts.threads } : {}),
  }
}

export type GuildReadyObject = ReturnType<typeof guildReadyObject>

/** The same in READY, where each member's `user` is reduced to its id. */
export function guildInReadyObject(parts: GuildReadyParts, viewer: Viewer): GuildReadyObject {
  const { member, account, now } = parts
  return {
    ...guildReadyObject(parts, viewer),
    members: [{ ...memberObject(member, account, now), user: { id: account.id } }],
  }
}

/** The object of an unavailable guild. It says that it is hidden only if it is. */
export function unavailableGuildObject({ id, features }: Pick<Guild, 'id' | 'features'>): UnavailableGuildObject {
  return { id, unavailable: true, ...(features.includes('UNAVAILABLE_HIDDEN') ? { unavailable_hidden: true } : {}) }
}

export interface UnavailableGuildObject {
  readonly id: GuildId
  readonly unavailable: true
  readonly unavailable_hidden?: true
}
