import type { Snowflake } from '../../domain/ids/snowflake.ts'
import { isReplyable } from '../../domain/messages/message-types.ts'
import type { Message } from '../../application/ports/messages.ts'

/**
 * Whom a new message mentions, as `messages.mentions` has them: accounts but its author, roles, and everyone, as the guild. What the
 * server says by itself mentions nobody.
 */
export function mentionTargets(message: Message): readonly Snowflake[] {
  const { type, authorId, guildId, mentions, mentionRoles, mentionsEveryone, mentionsHere } = message
  if (!isReplyable(type)) return []
  const everyone = guildId !== null && (mentionsEveryone || mentionsHere) ? [guildId] : []
  return [...new Set<Snowflake>([...mentions.filter((id) => id !== authorId), ...mentionRoles, ...everyone])]
}
