import type { GuildId } from '../../../domain/ids/ids.ts'
import type { ReactionEmoji } from '../../../domain/messages/reactions.ts'

/** A custom emoji, and the guild that it belongs to. */
export interface CustomEmoji {
  readonly emoji: ReactionEmoji
  readonly guildId: GuildId
}

/** The custom emoji that a request names; undefined for none. Guilds have no emojis yet. */
export async function findCustomEmoji(): Promise<CustomEmoji | undefined> {
  return undefined
}
