import { z } from 'zod'
import { sql } from '../../application/sql/sql.ts'
import type { MessageNotice, NoticeNumber, NoticeRange } from '../../application/ports/messages.ts'
import { accountId, channelId, emojiId, guildId, messageId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import type { ReactionEmoji } from '../../domain/messages/reactions.ts'
import { bigints } from './message-rows.ts'

const id = z.string().transform(snowflake)
const messageIds = z.array(id.transform(messageId))
const oneMessage = z.tuple([id.transform(messageId)]).transform(([only]) => only)

const emoji = z
  .object({ id: id.transform(emojiId).optional(), name: z.string(), animated: z.boolean().optional() })
  .transform(({ id: custom = null, name, animated = false }): ReactionEmoji => ({ id: custom, name, animated }))

const placeColumns = z.object({
  number: z.coerce.bigint(),
  channel_id: id.transform(channelId),
  channel_type: z.int(),
  guild_id: id.transform(guildId).nullable(),
  parent_id: id.transform(channelId).nullable(),
  recipients: z.array(id.transform(accountId)).nullable(),
  after: z.coerce.bigint(),
})

const kindColumns = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['created', 'updated']), message_ids: oneMessage }),
  z.object({ kind: z.literal('pins'), message_ids: oneMessage }),
  z.object({ kind: z.literal('deleted'), message_ids: oneMessage, author_id: id.transform(accountId) }),
  z.object({ kind: z.literal('deleted_bulk'), message_ids: messageIds }),
  z.object({
    kind: z.enum(['reaction_added', 'reaction_removed']),
    message_ids: oneMessage,
    author_id: id.transform(accountId),
    emoji,
    session_id: z.string().nullable(),
  }),
  z.object({ kind: z.literal('reactions_of_emoji_removed'), message_ids: oneMessage, emoji }),
  z.object({ kind: z.literal('reactions_removed'), message_ids: oneMessage }),
  z.object({
    kind: z.literal('acknowledged'),
    message_ids: oneMessage,
    detail: z.object({ mention_count: z.int(), manual: z.boolean().optional() }),
  }),
  z.object({ kind: z.enum(['mention_removed', 'saved', 'unsaved']), message_ids: oneMessage }),
  z.object({ kind: z.literal('note_changed'), author_id: id.transform(accountId) }),
  z.object({ kind: z.literal('pins_acknowledged'), detail: z.object({ at_ms: z.int() }) }),
])

const noticeRow = placeColumns.and(kindColumns).transform((row): MessageNotice => {
  const place = {
    number: row.number,
    channelId: row.channel_id,
    channelType: row.channel_type,
    guildId: row.guild_id,
    parentId: row.parent_id,
    recipients: row.recipients,
    after: row.after,
  }
  switch (row.kind) {
    case 'created':
    case 'updated':
      return { ...place, kind: row.kind, messageId: row.message_ids }
    case 'pins':
      return { ...place, kind: row.kind, messageId: row.message_ids }
    case 'deleted':
      return { ...place, kind: row.kind, messageId: row.message_ids, authorId: row.author_id }
    case 'deleted_bulk':
      return { ...place, kind: row.kind, messageIds: row.message_ids }
    case 'reaction_added':
    case 'reaction_removed': {
      const { kind, message_ids: messageId, author_id: reacted, session_id: sessionId } = row
      return { ...place, kind, messageId, accountId: reacted, emoji: row.emoji, sessionId }
    }
    case 'reactions_of_emoji_removed':
      return { ...place, kind: row.kind, messageId: row.message_ids, emoji: row.emoji }
    case 'reactions_removed':
      return { ...place, kind: row.kind, messageId: row.message_ids }
    case 'acknowledged': {
      const { mention_count: mentionCount, manual: isManual = null } = row.detail
      return { ...place, kind: row.kind, messageId: row.message_ids, mentionCount, isManual }
    }
    case 'mention_removed':
    case 'saved':
    case 'unsaved':
      return { ...place, kind: row.kind, messageId: row.message_ids }
    case 'note_changed':
      return { ...place, kind: row.kind, about: row.author_id }
    case 'pins_acknowledged':
      return { ...place, kind: row.kind, pinnedAt: timestamp(row.detail.at_ms) }
  }
})

/** A notice of a kind that this version does not know: a process of a later one wrote it. */
export interface UnknownNotice {
  readonly kind: 'unknown'
  readonly number: NoticeNumber
}

const knownKinds: Readonly<Record<MessageNotice['kind'], true>> = {
  created: true,
  updated: true,
  pins: true,
  deleted: true,
  deleted_bulk: true,
  reaction_added: true,
  reaction_removed: true,
  reactions_of_emoji_removed: true,
  reactions_removed: true,
  acknowledged: true,
  pins_acknowledged: true,
  mention_removed: true,
  saved: true,
  unsaved: true,
  note_changed: true,
}

const unknownRow = z
  .object({ number: z.coerce.bigint(), kind: z.string().refine((kind) => !Object.hasOwn(knownKinds, kind)) })
  .transform(({ number }): UnknownNotice => ({ kind: 'unknown', number }))
const anyRow = z.union([unknownRow, noticeRow])

/** Some notices, as of one moment. */
export interface NoticePage {
  /** In order, but possibly with gaps. */
  readonly notices: readonly (MessageNotice | UnknownNotice)[]
  /** The lowest transaction id that had not ended. */
  readonly lowestRunning: bigint
  /** Notices up to this number are no longer kept. */
  readonly trimmed: NoticeNumber
}

const momentRow = z.object({
  lowest_running: z.coerce.bigint(),
  trimmed: z.coerce.bigint(),
  notices: z.array(z.unknown()),
})

/** Ids as text: JSON numbers can't hold them. */
const noticeAsJson = sql.fragment`
  json_build_object(
    'number', n.number::text, 'kind', n.kind, 'channel_id', n.channel_id::text, 'channel_type', n.channel_type,
    'guild_id', n.guild_id::text, 'parent_id', n.parent_id::text, 'recipients', n.recipients::text[],
    'after', n.after::text, 'message_ids', n.message_ids::text[], 'author_id', n.author_id::text,
    'emoji', n.emoji, 'session_id', n.session_id, 'detail', n.detail)`

/** The highest number of Postgres, which no notice has. */
const aboveAll: NoticeNumber = 2n ** 63n - 1n

/** One statement, so one moment: if it does not show a row of an ended transaction, that row does not exist. */
export function noticePageOf(ranges: readonly NoticeRange[], count_max: number) {
  const lows = ranges.map(({ after }) => after.toString())
  const highs = ranges.map(({ before = aboveAll }) => before.toString())
  return sql.type(
    momentRow.transform(({ lowest_running: lowestRunning, trimmed, notices }): NoticePage => ({
      lowestRunning,
      trimmed,
      notices: z.array(anyRow).parse(notices),
    })),
  )`
    select pg_snapshot_xmin(pg_current_snapshot())::text as lowest_running,
      (select up_to from messages.trimmed) as trimmed,
      coalesce((
        select json_agg(${noticeAsJson} order by n.number) from (
          select found.* from unnest(${bigints(lows)}, ${bigints(highs)}) as range (low, high),
            lateral (
              select * from messages.notices where number > low and number < high order by number limit ${count_max}
            ) found
          order by number limit ${count_max}
        ) n
      ), '[]'::json) as notices`
}
