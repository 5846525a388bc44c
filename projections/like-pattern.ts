/** The least length of a text that is looked for anywhere in others, by an index of three characters. */
export const partOfText_characters_min = 3

/** A text as a part of a LIKE pattern: its `%`, `_` and `\` match themselves. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`)
}
