import { has } from '../../../domain/guild/channel.js'
import type { AccountId, ChannelId, GuildId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import type { PermissionName } from '../../../domain/permissions/permission-bits.js'
import type { Caller } from '../../caller.js'
import { reject } from '../../commands/refused.js'
import type { Message, Telling } from '../../ports/messages.js'
import type { Ports } from '../../ports.js'
import { showToAll } from '../private-channels/open-direct-channel.js'
import { requireMayMessage } from '../private-channels/require-may-message.js'
import { findChannel, type ChannelAccess } from '../../access/guild-access.js'
import { findPrivateChannel, privateChannelTypes } from '../../access/private-channel-access.js'
import { threadPlace } from './guild-places.js'
import { starterMessage } from '../threads/thread-messages.js'
import { prepareToWrite, requireMayWriteIn } from '../threads/write-in-thread.js'
import { requireAge } from '../../access/require-age.js'
import { findThread } from '../../access/thread-access.js'

/** A place that messages stand in, as somebody reaches it who may see it. What is told of it to others comes with it. */
export interface TextChannelPlace extends Omit<Telling, 'after'> {
  /** Seconds that must lie between two messages of one account; 0 for no slow mode. */
  readonly slowMode_s: number
  /** Whether the caller holds a permission there. In a thread, SEND_MESSAGES is SEND_MESSAGES_IN_THREADS. */
  readonly can: (permission: PermissionName) => boolean
  /** What sending there takes besides. */
  readonly sending: SendingRules
}

/** What a kind of place adds to sending a message. */
export interface SendingRules {
  /** Refuses who may not write there for reasons of its own. It stands behind permissions and before the message itself. */
  readonly check?: () => Promise<void>
  /** What has to be so before the message is there: a thread comes back and is joined, a channel is shown to the other. */
  readonly before?: () => Promise<void>
  /** What follows on a message that is there. */
  readonly after?: (message: Message) => Promise<void>
}

/** A channel of a guild, or a thread in one. */
export interface GuildTextChannel extends TextChannelPlace {
  readonly kind: 'guild'
  readonly guildId: GuildId
  /** The access to the channel; of a thread, to the channel that it stands in. */
  readonly access: ChannelAccess
  /** Of a thread that was started from a message: what stands for that at the thread's beginning. It is kept nowhere. */
  readonly starter?: Message
}

/** A direct message, a group, or personal notes. */
export interface PrivateTextChannel extends TextChannelPlace {
  readonly kind: 'private'
  readonly guildId: null
  readonly parentId: null
  readonly recipients: readonly AccountId[]
}

export type TextPlace = GuildTextChannel | PrivateTextChannel

export type TextChannelNeeds = Pick<
  Ports,
  'aggregates' | 'instancePolicies' | 'limits' | 'messages' | 'queries' | 'readModels' | 'reservations'
>

/** What an operation asks of a place besides that the caller may see it. */
export interface TextChannelWishes {
  /** Whether it works in a guild that is unavailable too: members can still delete their own messages (contract part 1). */
  readonly evenUnavailable?: boolean
}

/** Finds one kind of place by its id: undefined where the id is none of that kind. Refuses who may not see it. */
type FindPlace = (
  ports: TextChannelNeeds,
  caller: Caller,
  channelId: ChannelId,
  wishes: TextChannelWishes,
) => Promise<TextPlace | undefined>

/** Every kind of place, in the order in which they are looked for: each further one costs those behind it a query. */
const kinds: readonly FindPlace[] = [findGuildChannel, findThreadPlace, findPrivatePlace]

/**
 * The place that messages stand in, for somebody who may see it. Refuses in this order: 404 UNKNOWN_CHANNEL; in a guild 403
 * MISSING_ACCESS while it is unavailable, 403 MISSING_PERMISSIONS for who is no member, 403 MISSING_ACCESS without
 * VIEW_CHANNEL, 400 CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL where nobody can write, 403 NSFW_CONTENT_AGE_RESTRICTED
 * (reference gateway 5.7; contract part 1, Endpoints, conventions).
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
  if (!can('VIEW_CHANNEL')) reject('MISSING_ACCESS')
  if (!has(channel.type, 'messages')) reject('CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL')
  requireAge(guild, channel, caller)
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

/** Messages in a thread: who writes in it joins it, and brings it out of the archive (reference gateway 5.8). */
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

/** What recipients may in a private channel, where nobody gives permissions: to write, and to read all that was written. */
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
    channelId,
    channelType: privateChannelTypes[channel.kind],
    guildId: null,
    parentId: null,
    recipients: channel.recipients,
    slowMode_s: 0,
    can: (permission) => permittedAmongRecipients.has(permission),
    sending: {
      check: () => requireMayMessage(ports, caller, channel),
      before: () => showToAll(ports, channel, caller.context),
    },
  }
}

/** From when on the caller may read what was written: all of it, nothing, or what was written at an instant or later. */
export function historyOf(place: TextPlace): 'all' | 'nothing' | Timestamp {
  if (place.can('READ_MESSAGE_HISTORY') || place.kind === 'private') return 'all'
  return place.access.guild.settings.messageHistoryCutoff ?? 'nothing'
}

/** Whom what happens to messages there is told to. It is asked once everything that the decision followed from was read. */
export async function tellingOf({ queries }: Pick<Ports, 'queries'>, place: TextPlace): Promise<Telling> {
  const { channelId, channelType, guildId, parentId, recipients } = place
  return { channelId, channelType, guildId, parentId, recipients, after: await queries.positions.held() }
}
