/**
 * The form in which listed phrases and the texts of people are compared (reference stores 4.13): NFKC, in lower case, and
 * without all that can be put between letters to hide what they say: characters that do not show, whitespace, punctuation.
 */
export function folded(text: string): string {
  return withShortMarks(text).normalize('NFKC').toLowerCase().replace(between, '')
}

/** What does not count: what does not show, unassigned and private characters, blanks, separators. */
const between = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Z}\p{P}\s\u2800]+/gu

/**
 * No letter of any language has as many marks (Unicode, Stream-Safe Text Format). Putting marks in order takes the square of
 * their number: 100 KB of nothing but marks took six seconds.
 */
const longRunOfMarks = /(\p{M}{30})\p{M}+/gu

function withShortMarks(text: string): string {
  return text.replace(longRunOfMarks, '$1')
}
