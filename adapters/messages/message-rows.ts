import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { Message } from '../../application/ports/messages.ts'
import type { ReactionGroup } from '../../domain/messages/reactions.ts'
import type { MessageType } from '../../domain/messages/message-types.ts'
import { accountId, channelId, emojiId, guildId, messageId, roleId } from '../../domain/ids/ids.ts'
import { composeSnowflake, snowflakeEpochMs, type Snowflake } from '../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

interface MessageColumns {
  readonly id: Snowflake
  readonly channel_id: Snowflake
  readonly guild_id: Snowflake | null
  readonly author_id: Snowflake
  readonly type: MessageType
  readonly flags: number
  readonly content: string
  readonly edited_at: Timestamp | null
  readonly tts: boolean
  readonly mentions_everyone: boolean
  readonly mentions_here: boolean
  readonly mentions: readonly Snowflake[]
  readonly mention_roles: readonly Snowflake[]
  readonly reference: Message['reference']
  readonly embeds: Message['embeds'] | null
  readonly attachments: Message['attachments'] | null
  readonly stickers: Message['stickers'] | null
  readonly snapshots: Message['snapshots'] | null
  readonly pinned_at: Timestamp | null
  readonly webhook: Message['webhook'] | null
  readonly reactions: readonly ReactionColumns[] | null
}

/** A group of reactions, as `messages.change_reactions` writes it. */
interface ReactionColumns {
  readonly id?: Snowflake
  readonly name: string
  readonly animated?: boolean
  readonly count: number
}

const messageOf = (row: MessageColumns): Message => ({
  id: messageId(row.id),
  channelId: channelId(row.channel_id),
  guildId: row.guild_id === null ? null : guildId(row.guild_id),
  authorId: accountId(row.author_id),
  type: row.type,
  flags: row.flags,
  content: row.content,
  editedAt: row.edited_at,
  tts: row.tts,
  mentionsEveryone: row.mentions_everyone,
  mentionsHere: row.mentions_here,
  mentions: row.mentions.map(accountId),
  mentionRoles: row.mention_roles.map(roleId),
  reference: row.reference,
  embeds: row.embeds ?? [],
  attachments: row.attachments ?? [],
  stickers: row.stickers ?? [],
  snapshots: row.snapshots ?? [],
  pinnedAt: row.pinned_at,
  ...(row.webhook && { webhook: row.webhook }),
  ...(row.reactions && { reactions: row.reactions.map(reactionGroup) }),
})

export const messageRow = rowOf(messageOf)

/** With its author's nonce, null for none. */
export const messageWithNonceRow = rowOf((row: MessageColumns & { readonly nonce: string | null }) => ({
  ...messageOf(row),
  nonce: row.nonce,
}))

function reactionGroup({ id, name, animated = false, count }: ReactionColumns): ReactionGroup {
  return { id: id === undefined ? null : emojiId(id), name, animated, count }
}

export const messageColumns = sql.fragment`
  m.id, m.channel_id, m.guild_id, m.author_id, m.type, m.flags, m.content, m.edited_at, m.tts, m.mentions_everyone,
  m.mentions_here, m.mentions, m.mention_roles, m.reference, m.embeds, m.attachments, m.stickers, m.snapshots, m.pinned_at, m.webhook,
  m.reactions`

/** The columns that every message is written with. */
export const writtenColumns = sql.fragment`
  id, channel_id, guild_id, author_id, type, flags, content, edited_at, tts, mentions_everyone, mentions_here, mentions,
  mention_roles, reference, embeds, attachments, stickers, snapshots, pinned_at, webhook`

/** A list as its column has it: null for an empty one. */
export function listColumn<Item>(list: readonly Item[]): readonly Item[] | null {
  return list.length === 0 ? null : list
}

/** The same as a value of a statement. */
export const jsonList = (list: readonly object[]) => {
  const column = listColumn(list)
  return sql.fragment`${column === null ? null : JSON.stringify(column)}::jsonb`
}

export const bigints = (values: readonly string[]) => sql.array([...values], 'int8')

/** The lowest id of an instant; for an instant before all ids, the lowest id of all. */
export function lowestIdAt(ms: number): Snowflake {
  return composeSnowflake(Math.max(ms, snowflakeEpochMs), 0)
}
