import type { Guild } from '../../../domain/guild/state.ts'
import type { Emoji, Sticker } from '../../../domain/guild-expressions/state.ts'
import type { Membership } from '../../../domain/membership/state.ts'
import { entryId, messageId, type EntryId, type GuildId } from '../../../domain/ids/ids.ts'
import { composeSnowflake, snowflake } from '../../../domain/ids/snowflake.ts'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { ArchiveEntry, WrittenChannel } from '../../ports/archives.ts'
import type { Message } from '../../ports/messages.ts'
import { auditEntryLife_days } from '../../communities/audit-log/read-audit-log.ts'
import type { ThreadRecord } from '../../ports/queries/thread-queries.ts'
import type { Ports } from '../../ports.ts'
import { auditLogEntryObject } from '../../wire-objects/communities/audit-log-objects.ts'
import { channelObject } from '../../wire-objects/communities/channel-objects.ts'
import { emojiObject, stickersIn } from '../../wire-objects/communities/expression-objects.ts'
import { guildObject, roleObjects } from '../../wire-objects/communities/guild-objects.ts'
import { archivedMessage, type MessageSource } from './archived-messages.ts'
import { jsonFile, jsonList } from './json-pieces.ts'

type Needs = Pick<Ports, 'queries'>

/** The guild whose archive is built. */
export interface ArchivedGuild {
  readonly guild: Guild
  readonly now: Timestamp
}

/** Objects as somebody sees them who sees everything. */
const viewer = { threadAccess: true }

/**
 * Everything about the guild but its messages and images, one file for each kind. People are ids: their names, and what
 * was written about them, are left out, because they go with the erasure of their accounts and an archive stays.
 */
export async function* archivedGuild({ queries }: Needs, { guild, now }: ArchivedGuild): AsyncGenerator<ArchiveEntry> {
  yield { path: 'guild.json', content: jsonFile({ ...guildObject(guild), created_at: guild.createdAt }) }
  yield { path: 'roles.json', content: jsonFile(roleObjects(guild, viewer)) }
  yield {
    path: 'channels.json',
    content: jsonFile(guild.channels.map((channel) => channelObject(channel, guild, viewer))),
  }
  const { emojis, stickers } = await queries.expressions.ofGuild(guild.id)
  yield { path: 'emojis.json', content: jsonFile(emojis.map(archivedEmoji)) }
  yield { path: 'stickers.json', content: jsonFile(stickers.map(archivedSticker(guild.id))) }
  yield { path: 'threads.json', content: jsonList(threadPages(queries, guild)) }
  yield { path: 'members.json', content: jsonList(memberPages(queries, guild)) }
  yield { path: 'bans.json', content: jsonFile(await bansOf(queries, guild, now)) }
  yield { path: 'invites.json', content: jsonFile(await invitesOf(queries, guild, now)) }
  yield { path: 'webhooks.json', content: jsonFile(await webhooksOf(queries, guild)) }
  yield { path: 'audit_log.json', content: jsonList(auditPages(queries, guild, now)) }
}

/** All messages of the guild, in channels, threads and forums, with their authors. */
export function guildMessages(
  { queries, messages }: Pick<Ports, 'queries' | 'messages'>,
  { guild }: Pick<ArchivedGuild, 'guild'>,
): MessageSource {
  return {
    channels: channelsOf(queries, guild),
    isWanted: async () => true,
    async page(channel, after, limit) {
      return (await messages.page(channel, { after: after ?? beforeAll, limit })).toReversed()
    },
    shown: (message: Message) => ({ ...archivedMessage(message), author_id: message.authorId }),
  }
}

/** Before the id of every message. */
const beforeAll = messageId(snowflake('0'))

async function* channelsOf(
  queries: Needs['queries'],
  { id: guildId, channels }: Guild,
): AsyncGenerator<WrittenChannel> {
  for (const { id: channelId } of channels) yield { channelId, guildId }
  for (const channelId of await queries.threads.idsUnder({ guildId })) yield { channelId, guildId }
}

function archivedEmoji(emoji: Emoji) {
  return { ...emojiObject(emoji), creator_id: emoji.creatorId }
}

function archivedSticker(guildId: GuildId) {
  const shown = stickersIn(guildId)
  return (sticker: Sticker) => ({ ...shown(sticker), creator_id: sticker.creatorId })
}

const threadsAtOnce_max = 500

async function* threadPages({ threads }: Needs['queries'], { id: guildId }: Guild) {
  const ids = await threads.idsUnder({ guildId })
  for (let from = 0; from < ids.length; from += threadsAtOnce_max)
    yield (await threads.findMany(ids.slice(from, from + threadsAtOnce_max))).map(archivedThread)
}

function archivedThread(thread: ThreadRecord) {
  return {
    id: thread.threadId,
    type: thread.threadType,
    parent_id: thread.parentId,
    owner_id: thread.ownerId,
    name: thread.name,
    archived: thread.archived,
    locked: thread.locked,
    auto_archive_duration: thread.autoArchiveDuration,
    rate_limit_per_user: thread.rateLimitPerUser,
    applied_tags: thread.appliedTags,
    create_timestamp: thread.createdAt,
    archive_timestamp: thread.archivedAt,
    member_count: thread.memberCount,
  }
}

const membersAtOnce_max = 1000

async function* memberPages({ members }: Needs['queries'], { id }: Guild) {
  let page: readonly Membership[] = []
  do {
    const after = page.at(-1)?.accountId
    page = await members.page(id, { limit: membersAtOnce_max, ...(after === undefined ? {} : { after }) })
    yield page.map(archivedMember)
  } while (page.length === membersAtOnce_max)
}

function archivedMember(member: Membership) {
  return {
    user_id: member.accountId,
    joined_at: member.joinedAt,
    roles: member.roles,
    mute: member.mute,
    deaf: member.deaf,
    communication_disabled_until: member.communicationDisabledUntil,
    temporary: member.temporary,
  }
}

async function bansOf({ guildBans }: Needs['queries'], { id }: Guild, now: Timestamp) {
  const bans = await guildBans.ofGuild(id, now)
  return bans.map(({ accountId, moderatorId, bannedAt, expiresAt }) => ({
    user_id: accountId,
    moderator_id: moderatorId,
    banned_at: bannedAt,
    expires_at: expiresAt,
  }))
}

async function invitesOf({ invites }: Needs['queries'], { id }: Guild, now: Timestamp) {
  const held = await invites.ofGuild(id, now)
  return held.map((invite) => ({
    code: invite.code,
    channel_id: invite.channelId,
    inviter_id: invite.inviterId,
    uses: invite.uses,
    max_uses: invite.maxUses,
    max_age: invite.maxAge,
    temporary: invite.temporary,
    created_at: invite.createdAt,
    expires_at: invite.expiresAt,
  }))
}

/** Without their tokens: whoever opens the archive cannot write as them. */
async function webhooksOf({ webhooks }: Needs['queries'], { id }: Guild) {
  const held = await webhooks.ofGuild(id)
  return held.map((webhook) => ({
    id: webhook.id,
    type: webhook.kind,
    channel_id: webhook.channelId,
    creator_id: webhook.creatorId,
    name: webhook.name,
    avatar: webhook.avatar,
    source_channel_id: webhook.source?.channelId ?? null,
  }))
}

const entriesAtOnce_max = 1000
const day_ms = 86_400_000

/** The entries that moderators can still read, newest first, without what is personal in them. */
async function* auditPages({ auditLog }: Needs['queries'], { id }: Guild, now: Timestamp) {
  const oldest = entryId(composeSnowflake(msOf(now) - auditEntryLife_days * day_ms, 0))
  let before: EntryId | undefined
  for (;;) {
    const cursor = before === undefined ? {} : { before }
    const page = await auditLog.page(id, { ...cursor, withoutPersonal: true, limit: entriesAtOnce_max }, oldest)
    yield page.map((entry) => auditLogEntryObject(entry, viewer))
    if (page.length < entriesAtOnce_max) return
    before = page.at(-1)?.id
  }
}
