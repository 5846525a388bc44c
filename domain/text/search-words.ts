/** How many words of one text are searched, and how many characters of one word. */
export const searchWords_max = 400
const word_characters_max = 64

/** Scripts that are written without spaces between words. */
const spaceless =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
/** Letters, their marks, and digits: each run is of scripts without spaces only, or of others only. */
const runs = new RegExp(
  `(?<spaceless>(?:(?=[\\p{L}\\p{M}\\p{N}ー])[${spaceless}])+)|(?:(?![${spaceless}])[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
)

/**
 * The words of a text, each once: compatibility forms are unified (NFKC), in lower case, split by Unicode letters and digits. Of
 * scripts without spaces each pair of neighbouring characters is a word, and a character that stands alone.
 */
export function searchWords(text: string): readonly string[] {
  return collected(text, false)
}

/**
 * The words by which a short text is found, such as a name: the same, and of scripts without spaces also each single character, so
 * that one character finds it.
 */
export function searchWordsOfName(text: string): readonly string[] {
  return collected(text, true)
}

function collected(text: string, withSingles: boolean): readonly string[] {
  const words = new Set<string>()
  for (const { 0: run, groups } of text.normalize('NFKC').toLowerCase().matchAll(runs)) {
    const characters = Array.from(run)
    if (groups?.['spaceless'] === undefined) words.add(characters.slice(0, word_characters_max).join(''))
    else for (const word of pairs(characters, withSingles)) words.add(word)
    if (words.size >= searchWords_max) break
  }
  return [...words].slice(0, searchWords_max)
}

function pairs(characters: readonly string[], withSingles: boolean): readonly string[] {
  const pairs = characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`)
  return withSingles || pairs.length === 0 ? [...pairs, ...characters] : pairs
}
