/**
 * The form in which listed phrases are one entry: NFKC, lower case, without invisible characters, whitespace and
 * punctuation. Entries are named by it, so it never changes. Texts are matched more closely (`letters.ts`).
 */
export function folded(text: string): string {
  return withShortMarks(text).normalize('NFKC').toLowerCase().replace(between, '')
}

/** Ignored characters: invisible, unassigned and private ones, blanks, separators. */
export const between = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Z}\p{P}\s\u2800]+/gu

/**
 * No letter of any language has this many marks (Unicode, Stream-Safe Text Format). Ordering marks takes quadratic time: 100 KB
 * of nothing but marks took six seconds.
 */
const marks_max = 30
const longRunOfMarks = /(?<!\p{M})\p{M}{31,}/gu

export function withShortMarks(text: string): string {
  return text.replace(longRunOfMarks, (marks) => Array.from(marks).slice(0, marks_max).join(''))
}
