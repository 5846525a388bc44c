/**
 * The form that makes listed phrases one entry (reference stores 4.13): NFKC, in lower case, and without characters that do not
 * show, whitespace and punctuation. Entries are named by it, so it stays as it is; texts are read more closely (`letters.ts`).
 */
export function folded(text: string): string {
  return withShortMarks(text).normalize('NFKC').toLowerCase().replace(between, '')
}

/** What does not count: what does not show, unassigned and private characters, blanks, separators. */
export const between = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Z}\p{P}\s\u2800]+/gu

/**
 * No letter of any language has as many marks (Unicode, Stream-Safe Text Format). Putting marks in order takes the square of
 * their number: 100 KB of nothing but marks took six seconds.
 */
const longRunOfMarks = /(\p{M}{30})\p{M}+/gu

export function withShortMarks(text: string): string {
  return text.replace(longRunOfMarks, '$1')
}
