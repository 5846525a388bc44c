import { sql } from '../../application/sql/sql.ts'
import type { Posting } from '../../application/ports/messages.ts'
import { mentionTargets } from './mention-targets.ts'
import { bigints } from './message-rows.ts'

/** The type of a private thread. */
const privateThread = 12

/** Moves the read states of authors on. The rows come in the order in which every writer takes them. */
const movedOn = sql.fragment`
  on conflict (account_id, channel_id) do update set last_message_id = greatest(r.last_message_id, excluded.last_message_id),
    mention_count = 0, counted_from = excluded.counted_from`

/**
 * Parts of the statement that posts a message (`posted`): whom it mentions, and that its author has read the channel up to it
 * (rules/messages#read-states). A message without either adds nothing.
 */
export function postedForReaders({ message, audience, isReadByAuthor }: Posting) {
  const targets = mentionTargets(message)
  const mentioned =
    targets.length === 0
      ? sql.fragment``
      : sql.fragment`, mentioned as (
        insert into messages.mentions (channel_id, message_id, target_id, guild_id, parent_id, is_private, author_id)
        select p.channel_id, p.id, unnest(${bigints(targets)}), ${message.guildId}::int8, ${audience.parentId}::int8,
          ${audience.channelType === privateThread}, ${message.authorId}::int8 from posted p
      )`
  const read = isReadByAuthor
    ? sql.fragment`, read as (
        insert into messages.read_states as r (account_id, channel_id, last_message_id, counted_from)
        select ${message.authorId}::int8, p.channel_id, p.id, clock_timestamp() from posted p ${movedOn}
      )`
    : sql.fragment``
  return sql.fragment`${mentioned}${read}`
}

/** The same for several messages at once (`items`), each with what `readersOf` says of it. */
export function postedTogetherForReaders(postings: readonly Posting[]) {
  const mentioned = postings.some(({ message }) => mentionTargets(message).length > 0)
    ? sql.fragment`, mentioned as (
      insert into messages.mentions (channel_id, message_id, target_id, guild_id, parent_id, is_private, author_id)
      select i.channel_id, i.id, unnest(i.targets), i.guild_id, i.parent_id, i.channel_type = ${privateThread}, i.author_id
      from posted p join items i on i.channel_id = p.channel_id and i.id = p.id where i.targets is not null
    )`
    : sql.fragment``
  const read = postings.some(({ isReadByAuthor }) => isReadByAuthor)
    ? sql.fragment`, read as (
      insert into messages.read_states as r (account_id, channel_id, last_message_id, counted_from)
      select i.author_id, i.channel_id, max(i.id), clock_timestamp()
      from posted p join items i on i.channel_id = p.channel_id and i.id = p.id where i.is_read
      group by i.author_id, i.channel_id order by i.author_id, i.channel_id ${movedOn}
    )`
    : sql.fragment``
  return sql.fragment`${mentioned}${read}`
}

/** The columns of an item that `postedTogetherForReaders` reads: `is_read` and `targets`. */
export function readersOf({ message, isReadByAuthor = false }: Posting) {
  const targets = mentionTargets(message)
  return { is_read: isReadByAuthor, ...(targets.length > 0 && { targets }) }
}
