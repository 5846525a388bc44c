import { has } from '../../../domain/guild/channel.ts'
import type { AccountId, ChannelId, GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { lacking } from '../../../domain/permissions/authority.ts'
import type { PermissionName } from '../../../domain/permissions/permission-bits.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Message, MessageAudience } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'
import { showToAll } from '../private-channels/open-direct-channel.ts'
import { privatePlace } from '../private-channels/private-place.ts'
import { requireMayMessage } from '../private-channels/require-may-message.ts'
import { findChannel, type ChannelAccess } from '../../access/guild-access.ts'
import { findPrivateChannel } from '../../access/private-channel-access.ts'
import { threadPlace } from './guild-places.ts'
import { starterMessage } from '../threads/thread-messages.ts'
import { prepareToWrite, requireMayWriteIn } from '../threads/write-in-thread.ts'
import { requireAge } from '../../access/require-age.ts'
import { findThread } from '../../access/thread-access.ts'

/** A place that holds messages, as reached by somebody who may view it. Includes the facts for notifying others. */
export interface TextChannelPlace extends MessageAudience {
  /** Seconds that must pass between two messages of one account; 0 for no slow mode. */
  readonly slowMode_s: number
  /** Whether the caller holds a permission there. In a thread, SEND_MESSAGES means SEND_MESSAGES_IN_THREADS. */
  readonly can: (permission: PermissionName) => boolean
  /** Further rules for sending there. */
  readonly sending: SendingRules
}

/** The rules that a kind of place adds to sending a message. */
export interface SendingRules {
  /** Refuses callers for reasons of the kind of place. Runs after the permissions and before the checks of the message. */
  readonly check?: () => Promise<void>
  /** Preparations before the message is posted: unarchive and join a thread, show a channel to the other recipient. */
  readonly before?: () => Promise<void>
  /** Steps after the message is posted. */
  readonly after?: (message: Message) => Promise<void>
}

/** A channel of a guild, or a thread in one. */
export interface GuildTextChannel extends TextChannelPlace {
  readonly kind: 'guild'
  readonly guildId: GuildId
  /** The access to the channel; for a thread, to its parent channel. */
  readonly access: ChannelAccess
  /** For a thread started from a message: the message at the thread's beginning that stands for it. It is not stored. */
  readonly starter?: Message
}

/** A direct message, a group, or personal notes. */
export interface PrivateTextChannel extends TextChannelPlace {
  readonly kind: 'private'
  readonly guildId: null
  readonly parentId: null
  readonly recipients: readonly AccountId[]
  /** All who share it: also a recipient who has closed it, for whom a new message opens it. */
  readonly sharers: readonly AccountId[]
}

export type TextPlace = GuildTextChannel | PrivateTextChannel

export type TextChannelNeeds = Pick<
  Ports,
  'aggregates' | 'instancePolicies' | 'limits' | 'messages' | 'queries' | 'readModels' | 'reservations'
>

/** What an operation needs of a place besides a view of it. */
export interface TextChannelWishes {
  /** Whether it also works in an unavailable guild: members can still delete their own messages. */
  readonly evenUnavailable?: boolean
  /** Whether it also works in an age-restricted channel for a caller whose age is not known (rules/messages#places). */
  readonly atAnyAge?: boolean
}

/** Finds one kind of place by its id; undefined if the id is of another kind. Refuses callers who may not view it. */
type FindPlace = (
  ports: TextChannelNeeds,
  caller: Caller,
  channelId: ChannelId,
  wishes: TextChannelWishes,
) => Promise<TextPlace | undefined>

/** All kinds of places, in the order of the search. Each kind before the right one costs a query. */
const kinds: readonly FindPlace[] = [findGuildChannel, findThreadPlace, findPrivatePlace]

/**
 * Gives a place that holds messages to a caller who may view it. Refuses in this order: 404 UNKNOWN_CHANNEL; in a guild
 * 403 MISSING_ACCESS while it is unavailable, 403 MISSING_PERMISSIONS for callers who are not members or lack
 * VIEW_CHANNEL, 400 CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL for a channel without messages, 403
 * NSFW_CONTENT_AGE_RESTRICTED, unless it is wanted at any age (rules/messages#places).
 */
export async function requireTextChannel(
  ports: TextChannelNeeds,
  caller: Caller,
  channelId: ChannelId,
  wishes: TextChannelWishes = {},
): Promise<TextPlace> {
  for (const find of kinds) {
    const place = await find(ports, caller, channelId, wishes)
    if (place) return place
  }
  return reject('UNKNOWN_CHANNEL')
}

async function findGuildChannel(
  ports: TextChannelNeeds,
  caller: Caller,
  channelId: ChannelId,
  wishes: TextChannelWishes,
): Promise<TextPlace | undefined> {
  const access = await findChannel(ports, caller, channelId, wishes)
  if (!access) return undefined
  const { guild, channel, can } = access
  if (!can('VIEW_CHANNEL')) reject(lacking('VIEW_CHANNEL'))
  if (!has(channel.type, 'messages')) reject('CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL')
  if (wishes.atAnyAge !== true) requireAge(guild, channel, caller)
  return {
    kind: 'guild',
    channelId,
    channelType: channel.type,
    guildId: guild.id,
    parentId: null,
    recipients: null,
    slowMode_s: channel.rateLimitPerUser,
    can,
    sending: {},
    access,
  }
}

/** Messages in a thread. Writing in a thread joins and unarchives it. */
async function findThreadPlace(
  ports: TextChannelNeeds,
  caller: Caller,
  channelId: ChannelId,
  wishes: TextChannelWishes,
): Promise<TextPlace | undefined> {
  const access = await findThread(ports, caller, channelId, wishes)
  if (!access) return undefined
  const { thread, guild, can } = access
  const starter = starterMessage(thread)
  return {
    kind: 'guild',
    ...(await threadPlace(ports, thread)),
    guildId: guild.id,
    slowMode_s: thread.rateLimitPerUser,
    can,
    sending: {
      check: async () => requireMayWriteIn(access),
      before: () => prepareToWrite(ports, caller, access),
    },
    access,
    ...(starter === undefined ? {} : { starter }),
  }
}

/** The permissions of recipients in a private channel, which has no roles or overwrites: they may write and read everything. */
const permittedAmongRecipients: ReadonlySet<PermissionName> = new Set<PermissionName>([
  'VIEW_CHANNEL',
  'SEND_MESSAGES',
  'READ_MESSAGE_HISTORY',
  'SEND_TTS_MESSAGES',
  'EMBED_LINKS',
  'ATTACH_FILES',
  'ADD_REACTIONS',
  'USE_EXTERNAL_EMOJIS',
  'USE_EXTERNAL_STICKERS',
])

async function findPrivatePlace(
  ports: TextChannelNeeds,
  caller: Caller,
  channelId: ChannelId,
): Promise<PrivateTextChannel | undefined> {
  const channel = await findPrivateChannel(ports, caller, channelId)
  if (!channel) return undefined
  return {
    kind: 'private',
    ...privatePlace(channel),
    sharers: channel.recipients,
    slowMode_s: 0,
    can: (permission) => permittedAmongRecipients.has(permission),
    sending: {
      check: () => requireMayMessage(ports, caller, channel),
      before: () => showToAll(ports, channel, caller.context),
    },
  }
}

/** How much history the caller may read: all, nothing, or from an instant on. */
export function historyOf(place: TextPlace): 'all' | 'nothing' | Timestamp {
  if (place.can('READ_MESSAGE_HISTORY') || place.kind === 'private') return 'all'
  return place.access.guild.settings.messageHistoryCutoff ?? 'nothing'
}

/** Who is notified of changes to messages in the place. */
export function audienceOf({ channelId, channelType, guildId, parentId, recipients }: TextPlace): MessageAudience {
  return { channelId, channelType, guildId, parentId, recipients }
}
