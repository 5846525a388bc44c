import { z } from 'zod'
import { sql } from '../../application/ports/database.js'
import { messageTypes, type Message, type MessageType } from '../../application/ports/messages.js'
import { accountId, channelId, guildId, messageId, roleId } from '../../domain/ids/ids.js'
import { composeSnowflake, snowflake, snowflakeEpochMs, type Snowflake } from '../../domain/ids/snowflake.js'
import { timestamp } from '../../domain/kernel/timestamp.js'

const id = z.string().transform(snowflake)
const ids = z.array(id)

const types: ReadonlySet<number> = new Set(Object.values(messageTypes))
const messageType = z.int().refine((type): type is MessageType => types.has(type))

const referenceColumn = z.object({
  channelId: id.transform(channelId),
  messageId: id.transform(messageId),
  guildId: id.transform(guildId).nullable(),
})

/** A message as its row says, and what its author named it by. */
export type StoredMessage = Message & { readonly nonce: string | null }

export const messageRow = z
  .object({
    id,
    channel_id: id,
    guild_id: id.nullable(),
    author_id: id,
    type: messageType,
    flags: z.int(),
    content: z.string(),
    edited_at: z.string().nullable(),
    tts: z.boolean(),
    mentions_everyone: z.boolean(),
    mentions_here: z.boolean(),
    mentions: ids,
    mention_roles: ids,
    reference: referenceColumn.nullable(),
    nonce: z.string().nullable(),
  })
  .transform((row): StoredMessage => ({
    id: messageId(row.id),
    channelId: channelId(row.channel_id),
    guildId: row.guild_id === null ? null : guildId(row.guild_id),
    authorId: accountId(row.author_id),
    type: row.type,
    flags: row.flags,
    content: row.content,
    editedAt: row.edited_at === null ? null : timestamp(Date.parse(row.edited_at)),
    tts: row.tts,
    mentionsEveryone: row.mentions_everyone,
    mentionsHere: row.mentions_here,
    mentions: row.mentions.map(accountId),
    mentionRoles: row.mention_roles.map(roleId),
    reference: row.reference,
    nonce: row.nonce,
  }))

export const messageColumns = sql.fragment`
  m.id, m.channel_id, m.guild_id, m.author_id, m.type, m.flags, m.content, m.edited_at, m.tts, m.mentions_everyone,
  m.mentions_here, m.mentions, m.mention_roles, m.reference, m.nonce`

/** A message without what only the store needs of it. */
export function plain({ nonce: _, ...message }: StoredMessage): Message {
  return message
}

export const bigints = (values: readonly string[]) => sql.array([...values], 'int8')

/** The lowest id of an instant; of one before all ids, the lowest of all. */
export function lowestIdAt(ms: number): Snowflake {
  return composeSnowflake(Math.max(ms, snowflakeEpochMs), 0)
}
