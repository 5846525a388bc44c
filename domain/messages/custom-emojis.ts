import { emojiId, type EmojiId } from '../ids/ids.ts'
import { parseSnowflake } from '../ids/snowflake.ts'

// Each pattern takes linear time: a repetition ends with a character that it cannot contain, or is bounded.
const code = /```[\s\S]*?```|`[^`\n]+`/g
const custom = /<a?:(\w{2,32}):(\d{1,19})>/g

/** The custom emojis in a text, `<:name:id>` and `<a:name:id>`, each once, except in code. */
export function customEmojisIn(text: string): readonly EmojiId[] {
  const ids = [...text.replace(code, ' ').matchAll(custom)].flatMap(([, , digits = '']) => idOf(digits) ?? [])
  return [...new Set(ids)]
}

/** The text with only the names of some of its custom emojis, as `:name:`. Code stays as it is. */
export function withoutEmojis(text: string, gone: ReadonlySet<EmojiId>): string {
  const named = (said: string): string =>
    said.replace(custom, (whole, name: string, digits: string) => {
      const id = idOf(digits)
      return id !== undefined && gone.has(id) ? `:${name}:` : whole
    })
  let written = ''
  let from = 0
  for (const { index, 0: quoted } of text.matchAll(code)) {
    written += named(text.slice(from, index)) + quoted
    from = index + quoted.length
  }
  return written + named(text.slice(from))
}

function idOf(digits: string): EmojiId | undefined {
  const parsed = parseSnowflake(digits)
  return parsed.ok ? emojiId(parsed.id) : undefined
}
