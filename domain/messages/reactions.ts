import { emojiId, type EmojiId } from '../ids/ids.ts'
import { parseSnowflake } from '../ids/snowflake.ts'

/** An emoji that somebody reacts with: one of Unicode, or a custom one with its id. */
export interface ReactionEmoji {
  /** Null for an emoji of Unicode. */
  readonly id: EmojiId | null
  /** The emoji itself for one of Unicode, else its name. */
  readonly name: string
  readonly animated: boolean
}

/** The reactions to a message with one emoji. */
export interface ReactionGroup extends ReactionEmoji {
  /** How many accounts reacted with it; at least 1. */
  readonly count: number
}

/** What tells emojis apart: a custom one keeps its id through changes of its name. */
export function emojiKey({ id, name }: Pick<ReactionEmoji, 'id' | 'name'>): string {
  return id ?? name
}

/**
 * The emoji that a path names: `name:id`, also with `a:` before it, for a custom one; anything else is meant as an emoji of
 * Unicode, and takes its fully qualified form if it is one. Whether it is one is not checked: see `isUnicodeEmoji`.
 */
export function namedEmoji(text: string): ReactionEmoji {
  const colon = text.lastIndexOf(':')
  const parsed = colon > 0 ? parseSnowflake(text.slice(colon + 1)) : undefined
  if (parsed?.ok !== true) return { id: null, name: qualified(text), animated: false }
  const name = text.slice(0, colon)
  const animated = name.startsWith('a:')
  return { id: emojiId(parsed.id), name: animated ? name.slice(2) : name, animated }
}

/** Unicode's own list of emojis, as the runtime knows it: a sequence counts as one. TypeScript has no literal with this flag yet. */
const recommended = new RegExp(String.raw`^\p{RGI_Emoji}$`, 'v')
const asText = /\uFE0F/g
const textByDefault = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu

/** Whether a text is exactly one emoji of Unicode, in its fully qualified form. */
export function isUnicodeEmoji(text: string): boolean {
  return recommended.test(text)
}

/**
 * Clients may leave out the character that asks for the coloured form of a sign: the same emoji must not make two groups. A
 * text that is no emoji stays as it is.
 */
function qualified(text: string): string {
  if (recommended.test(text)) return text
  const whole = text.replaceAll(asText, '').replaceAll(textByDefault, '$&\uFE0F')
  return recommended.test(whole) ? whole : text
}
