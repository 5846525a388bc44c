/** A text as a part of a LIKE pattern: its `%`, `_` and `\` match themselves. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`)
}
