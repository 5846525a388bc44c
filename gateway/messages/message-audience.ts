import type { Guild } from '../../domain/guild/state.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { computePermissions, holds, type PermissionMember } from '../../domain/permissions/compute-permissions.ts'
import { moderatesThreads } from '../../domain/thread/moderation.ts'
import { snowflakeMs } from '../../domain/ids/snowflake.ts'
import { msOf } from '../../domain/kernel/timestamp.ts'
import type { MessageId } from '../../domain/ids/ids.ts'
import type { Message, MessageAudience } from '../../application/ports/messages.ts'
import type { Audience, Mention } from '../dispatches/dispatch.ts'
import { perVisibilityClass, type Link } from '../visibility/room.ts'
import type { World } from '../visibility/world.ts'

/** The parts of a place that decide who is notified. */
export type Place = Pick<MessageAudience, 'channelId' | 'channelType' | 'guildId' | 'parentId' | 'recipients'>

export interface AudienceWishes {
  /** The message that a session must be able to read even if it is old. */
  readonly readable?: MessageId
  /** The message that a session must not be able to read: sessions that can read it get another dispatch. */
  readonly unreadable?: MessageId
  readonly mentions?: (member: PermissionMember) => Mention
}

/** Of the roles that a message mentions, only so many reach passive sessions. */
const mentionedRoles_max = 100

/**
 * Who is notified of something in a place. In a private channel, the sessions of its recipients. In a guild, the
 * sessions that can view the channel, or a thread's parent channel; for a private thread, its members and moderators.
 */
export function audienceOf(
  place: Place,
  world: World,
  now: Timestamp,
  { readable, unreadable, mentions }: AudienceWishes,
): Audience {
  const { guildId, recipients } = place
  const calling = mentions ? { mentions } : {}
  if (guildId === null) {
    return { kind: 'sessions', sessions: (recipients ?? []).flatMap((id) => world.sessionsOf(id)), ...calling }
  }
  return {
    kind: 'guild',
    needs: (guild, member) =>
      canView(place, guild, member) &&
      (readable === undefined || canRead(readable, place, guild, member)) &&
      (unreadable === undefined || !canRead(unreadable, place, guild, member)),
    ...(recipients === null ? {} : { admits: membersAndModerators(place, new Set(recipients), now) }),
    ...calling,
  }
}

/** Whether a message mentions a member: directly or with everybody, or by one of its roles. */
export function mentionsOf(message: Message): (member: PermissionMember) => Mention {
  const { mentionsEveryone, mentionsHere } = message
  const accounts = new Set(message.mentions)
  const called = new Set(message.mentionRoles.slice(0, mentionedRoles_max))
  return ({ accountId, roles }) => {
    if (mentionsEveryone || mentionsHere || accounts.has(accountId)) return 'directly'
    return roles.some((role) => called.has(role)) ? 'by role' : 'not'
  }
}

const threads: ReadonlySet<number> = new Set([10, 11, 12])

/** Whether dispatches about the place need thread access. */
export function isThread({ channelType }: Pick<Place, 'channelType'>): boolean {
  return threads.has(channelType)
}

function permissionsIn({ channelId, parentId }: Place, guild: Guild, member: PermissionMember): bigint | undefined {
  const channel = guild.channels.find(({ id }) => id === (parentId ?? channelId))
  return channel && computePermissions(guild, member, channel.overwrites)
}

function canView(place: Place, guild: Guild, member: PermissionMember): boolean {
  const mask = permissionsIn(place, guild, member)
  return mask !== undefined && holds(mask, 'VIEW_CHANNEL')
}

/**
 * With READ_MESSAGE_HISTORY every message; without it, those since the guild's cutoff, and without a cutoff none
 * (rules/messages#read).
 */
function canRead(message: MessageId, place: Place, guild: Guild, member: PermissionMember): boolean {
  const mask = permissionsIn(place, guild, member)
  if (mask !== undefined && holds(mask, 'READ_MESSAGE_HISTORY')) return true
  const { messageHistoryCutoff } = guild.settings
  return messageHistoryCutoff !== null && snowflakeMs(message) >= msOf(messageHistoryCutoff)
}

/**
 * To the members of a private thread, and to its moderators: the owner, administrators, and holders of MANAGE_THREADS
 * who are not timed out.
 */
function membersAndModerators(place: Place, members: ReadonlySet<string>, now: Timestamp): (link: Link) => boolean {
  const maskOf = perVisibilityClass(({ room: { guild }, member }) => permissionsIn(place, guild, member) ?? 0n)
  return (link) => members.has(link.member.accountId) || moderatesThreads(maskOf(link), link.member, now)
}
