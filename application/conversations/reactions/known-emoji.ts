import type { EmojiId, GuildId } from '../../../domain/ids/ids.ts'
import type { ReactionEmoji } from '../../../domain/messages/reactions.ts'
import type { Ports } from '../../ports.ts'

/** A custom emoji, and the guild that it belongs to. */
export interface CustomEmoji {
  readonly emoji: ReactionEmoji
  readonly guildId: GuildId
}

/** The custom emoji that a request names by its id, under the name that it has; undefined for none. */
export async function findCustomEmoji(
  { queries }: Pick<Ports, 'queries'>,
  id: EmojiId,
): Promise<CustomEmoji | undefined> {
  const [found] = await queries.expressions.emojis([id])
  return found && { emoji: { id, name: found.name, animated: found.animated }, guildId: found.guildId }
}
