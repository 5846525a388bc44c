import { field, type FieldError } from '../../../kernel/refusal.ts'
import {
  bitrateCap,
  channelTypes,
  defaultThreads,
  defaultVoice,
  emptyForum,
  forumRequiresTag,
  has,
  type Channel,
  type ChannelType,
  type ForumSettings,
  type ThreadDefaults,
  type VoiceSettings,
} from '../../channel.ts'
import type { ChannelWishes } from '../../channel-commands.ts'
import { channelName } from '../../channel-names.ts'
import type { Guild } from '../../state.ts'

/**
 * A channel with the requested attributes, except its position and overwrites. Attributes that its type does not have are dropped.
 */
export function wishedChannel(channel: Channel, wishes: ChannelWishes, { features }: Pick<Guild, 'features'>): Channel {
  const type = wishes.type ?? channel.type
  const only = <Value>(what: Parameters<typeof has>[1], value: Value, otherwise: Value): Value =>
    has(type, what) ? value : otherwise
  return {
    ...channel,
    type,
    name: wishes.name === undefined ? channel.name : channelName(type, wishes.name, features),
    topic: only('topic', or(wishes.topic, channel.topic), null),
    url: only('url', or(wishes.url, channel.url), null),
    nsfw: or(wishes.nsfw, channel.nsfw),
    nsfwOverride: or(wishes.nsfwOverride, channel.nsfwOverride),
    contentWarningLevel: or(wishes.contentWarningLevel, channel.contentWarningLevel),
    contentWarningText: or(wishes.contentWarningText, channel.contentWarningText),
    rateLimitPerUser: only('rateLimit', or(wishes.rateLimitPerUser, channel.rateLimitPerUser), 0),
    voice: only('voice', voiceOf(channel.voice ?? defaultVoice, wishes, features), null),
    threads: only('threads', threadsOf(channel.threads ?? defaultThreads, wishes), null),
    forum: only('forum', forumOf(channel.forum ?? emptyForum, wishes), null),
  }
}

/** What is wrong with a parent: it is not in the guild, is not a category, or is given for a category. */
export function parentFault(
  channels: readonly Channel[],
  type: ChannelType,
  parentId: Channel['parentId'],
  path = 'parent_id',
): FieldError | undefined {
  if (parentId === null) return undefined
  if (type === channelTypes.category) return field(path, 'CATEGORIES_CANNOT_HAVE_PARENTS')
  const parent = channels.find(({ id }) => id === parentId)
  if (!parent) return field(path, 'INVALID_PARENT_CHANNEL')
  return parent.type === channelTypes.category ? undefined : field(path, 'PARENT_MUST_BE_CATEGORY')
}

function or<Value>(wished: Value | undefined, now: Value): Value {
  return wished === undefined ? now : wished
}

/** A written bitrate is stored at most at the cap; one that is not written may stay above it. */
function voiceOf(now: VoiceSettings, wishes: ChannelWishes, features: Guild['features']): VoiceSettings {
  return {
    bitrate: wishes.bitrate === undefined ? now.bitrate : Math.min(wishes.bitrate, bitrateCap(features)),
    userLimit: or(wishes.userLimit, now.userLimit),
    connectionLimit: or(wishes.voiceConnectionLimit, now.connectionLimit),
    rtcRegion: or(wishes.rtcRegion, now.rtcRegion),
    ...(or(wishes.rtcP2p, now.rtcP2p === true) ? { rtcP2p: true } : {}),
  }
}

function threadsOf(now: ThreadDefaults, wishes: ChannelWishes): ThreadDefaults {
  return {
    autoArchiveDuration: or(wishes.autoArchiveDuration, now.autoArchiveDuration),
    rateLimitPerUser: or(wishes.threadRateLimitPerUser, now.rateLimitPerUser),
  }
}

function forumOf(now: ForumSettings, wishes: ChannelWishes): ForumSettings {
  const defaultTagSetting = or(wishes.defaultTagSetting, now.defaultTagSetting ?? null)
  return {
    flags: or(wishes.flags, now.flags) & forumRequiresTag,
    availableTags: or(wishes.availableTags, now.availableTags),
    defaultReactionEmoji: or(wishes.defaultReactionEmoji, now.defaultReactionEmoji),
    defaultSortOrder: or(wishes.defaultSortOrder, now.defaultSortOrder),
    defaultForumLayout: or(wishes.defaultForumLayout, now.defaultForumLayout),
    ...(defaultTagSetting === null ? {} : { defaultTagSetting }),
  }
}
