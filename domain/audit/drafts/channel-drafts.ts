import type { Channel } from '../../guild/channel.ts'
import type { ChannelEvent } from '../../guild/channel-events.ts'
import { otherThan } from '../../kernel/same-json.ts'
import type { Overwrite } from '../../permissions/compute-permissions.ts'
import { auditActions } from '../audit-actions.ts'
import { changed, created, deleted, type AuditDraft, type AuditValue, type DraftsOf } from '../audit-entry.ts'

type Values = Readonly<Record<string, AuditValue>>

/** Channels and their overwrites. The first channels of a new guild have no entries. */
export const channelDrafts: DraftsOf<ChannelEvent> = {
  ChannelCreated: ({ guildId, channel, founding }) => {
    if (founding) return []
    const { CHANNEL_CREATE: actionType } = auditActions
    const changes = created({ channel_id: channel.id, ...valuesOf(channel) })
    const { id: channelId, overwrites } = channel
    return [
      { guildId, actionType, targetId: channelId, options: { type: channel.type }, changes },
      ...overwriteDrafts({ guildId, channelId, before: [], after: overwrites }),
    ]
  },
  ChannelChanged: ({ guildId, channelId, channelType, before, after }) => {
    const was = valuesOf(before)
    const is = Object.fromEntries(Object.entries(valuesOf(after)).filter(otherThan(was)))
    if (Object.keys(is).length === 0) return []
    const { CHANNEL_UPDATE: actionType } = auditActions
    return [{ guildId, actionType, targetId: channelId, options: { type: channelType }, changes: changed(was, is) }]
  },
  ChannelOverwritesChanged: overwriteDrafts,
  ChannelDeleted: ({ guildId, channel }) => {
    const { CHANNEL_DELETE: actionType } = auditActions
    const changes = deleted({ channel_id: channel.id, ...valuesOf(channel) })
    return [{ guildId, actionType, targetId: channel.id, options: { type: channel.type }, changes }]
  },
}

/** One entry for each overwrite that differs. */
function overwriteDrafts({
  guildId,
  channelId,
  before,
  after,
}: Pick<AuditDraft, 'guildId'> & {
  readonly channelId: Channel['id']
  readonly before: readonly Overwrite[]
  readonly after: readonly Overwrite[]
}): readonly AuditDraft[] {
  const [was, is] = [byId(before), byId(after)]
  const draft = ({ id, type }: Overwrite, actionType: AuditDraft['actionType'], changes: AuditDraft['changes']) => ({
    guildId,
    actionType,
    targetId: id,
    options: { type, channel_id: channelId },
    changes,
  })
  const gone = before.filter(({ id }) => !is.has(id))
  return [
    ...after.flatMap((overwrite) => {
      const old = was.get(overwrite.id)
      if (!old) return [draft(overwrite, auditActions.CHANNEL_OVERWRITE_CREATE, created(texts(overwrite)))]
      const values = Object.fromEntries(Object.entries(texts(overwrite)).filter(otherThan(texts(old))))
      if (Object.keys(values).length === 0) return []
      return [draft(overwrite, auditActions.CHANNEL_OVERWRITE_UPDATE, changed(texts(old), values))]
    }),
    ...gone.map((overwrite) => draft(overwrite, auditActions.CHANNEL_OVERWRITE_DELETE, deleted(texts(overwrite)))),
  ]
}

function byId(overwrites: readonly Overwrite[]): ReadonlyMap<string, Overwrite> {
  return new Map(overwrites.map((overwrite) => [overwrite.id, overwrite]))
}

/** An overwrite as the log has it: each member is a string. */
function texts({ id, type, allow, deny }: Overwrite): Values {
  return { id, type: `${type}`, allow, deny }
}

/** The given members of a channel, by their keys in the log; `nsfwOverride` has none. */
function valuesOf(channel: Partial<Channel>): Values {
  return given({
    type: channel.type,
    name: channel.name,
    topic: channel.topic,
    url: channel.url,
    parent_id: channel.parentId,
    position: channel.position,
    nsfw: channel.nsfw,
    content_warning_level: channel.contentWarningLevel,
    content_warning_text: channel.contentWarningText,
    rate_limit_per_user: channel.rateLimitPerUser,
    ...voiceValues(channel.voice),
    ...forumValues(channel.forum),
    default_auto_archive_duration: channel.threads?.autoArchiveDuration,
    default_thread_rate_limit_per_user: channel.threads?.rateLimitPerUser,
  })
}

function voiceValues(voice: Channel['voice'] | undefined) {
  if (!voice) return {}
  return {
    user_limit: voice.userLimit,
    voice_connection_limit: voice.connectionLimit,
    bitrate: voice.bitrate,
    rtc_region: voice.rtcRegion,
    rtc_p2p: voice.rtcP2p === true,
  }
}

function forumValues(forum: Channel['forum'] | undefined) {
  if (!forum) return {}
  const { flags, availableTags, defaultReactionEmoji: emoji } = forum
  return {
    flags,
    available_tags: availableTags.map(({ id, name, moderated, emojiId, emojiName }) => ({
      id,
      name,
      moderated,
      emoji_id: emojiId,
      emoji_name: emojiName,
    })),
    default_reaction_emoji: emoji && { emoji_id: emoji.emojiId, emoji_name: emoji.emojiName },
    default_sort_order: forum.defaultSortOrder,
    default_forum_layout: forum.defaultForumLayout,
    default_tag_setting: forum.defaultTagSetting ?? null,
  }
}

function given(values: Readonly<Record<string, AuditValue | undefined>>): Values {
  const found: Record<string, AuditValue> = {}
  for (const [key, value] of Object.entries(values)) if (value !== undefined) found[key] = value
  return found
}
