/** How many words of one text are searched, how many of a query are looked for, and how many characters of one word. */
export const searchWords_max = 400
export const wantedWords_max = 12
const word_characters_max = 64
/** How many words become one at most. */
const chain_max = 8
/** Says whether an emoji is shown in colours. */
const variants = /[\ufe0e\ufe0f]/gu

/** Scripts that are written without spaces between words. */
const spaceless =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
/** Letters, their marks, and digits: each run is of scripts without spaces only, or of others only. An emoji is a run of its own. */
const runs = new RegExp(
  `(?<spaceless>(?:(?=[\\p{L}\\p{M}\\p{N}ー])[${spaceless}])+)|(?:(?![${spaceless}])[\\p{L}\\p{M}\\p{N}])+` +
    '|(?<emoji>\\p{Regional_Indicator}{2}|\\p{Extended_Pictographic})',
  'gu',
)
/** What joins words to one, as in K-Pop and D&D. */
const joints = "-‐‑'’.&"
/** A single letter at an apostrophe: the article of "l'école", the ending of "player's". */
const elided = /(?<![\p{L}\p{M}\p{N}])\p{L}['’](?=\p{L})|(?<=[\p{L}\p{M}\p{N}])['’]\p{L}(?![\p{L}\p{M}\p{N}])/gu

/**
 * The words by which a text is found, each once: compatibility forms are unified (NFKC), in lower case, split by Unicode letters and
 * digits. Of scripts without spaces each pair of neighbouring characters is a word, and a character that stands alone. Each emoji is
 * a word, and what hyphens and the like join is also one word without them.
 */
export function searchWords(text: string): readonly string[] {
  return collected(unifiedOf(text), { withSingles: false, withJoined: true })
}

/**
 * The words by which a short text is found, such as a name: the same, and of scripts without spaces also each single character, so
 * that one character finds it.
 */
export function searchWordsOfName(text: string): readonly string[] {
  return collected(unifiedOf(text), { withSingles: true, withJoined: true })
}

/**
 * The words that somebody looks for, each among those by which the same text is found as a name: the first `wantedWords_max`. Those
 * beyond are ignored: each takes a time in proportion to the listings that have what it may mean. Emoji count where there is nothing
 * else, and so do single letters at an apostrophe.
 */
export function wantedWords(query: string): readonly string[] {
  const unified = unifiedOf(query)
  const wanted = [unified.replace(elided, ' '), unified].map((text) =>
    collected(text, { withSingles: false, withJoined: false }),
  )
  const words = wanted.map((all) => all.filter((word) => /[\p{L}\p{M}\p{N}]/u.test(word)))
  return ([...words, ...wanted].find(({ length }) => length > 0) ?? []).slice(0, wantedWords_max)
}

interface Kinds {
  readonly withSingles: boolean
  readonly withJoined: boolean
}

function unifiedOf(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(variants, '')
}

function collected(unified: string, { withSingles, withJoined }: Kinds): readonly string[] {
  const words = new Set<string>()
  let chain: readonly string[] = []
  let chainEnd = 0
  const endChain = (): void => {
    if (withJoined && chain.length > 1) words.add(shortened(Array.from(chain.join(''))))
    chain = []
  }
  for (const { 0: run, groups, index } of unified.matchAll(runs)) {
    if (!isJoined(unified.slice(chainEnd, index))) endChain()
    const characters = Array.from(run)
    if (groups?.['spaceless'] !== undefined) {
      for (const word of pairs(characters, withSingles)) words.add(word)
    } else {
      words.add(shortened(characters))
      if (chain.length < chain_max) chain = [...chain, run]
    }
    chainEnd = index + run.length
    if (words.size >= searchWords_max) break
  }
  endChain()
  return [...words].slice(0, searchWords_max)
}

function isJoined(between: string): boolean {
  return between.length === 1 && joints.includes(between)
}

function shortened(characters: readonly string[]): string {
  return characters.slice(0, word_characters_max).join('')
}

function pairs(characters: readonly string[], withSingles: boolean): readonly string[] {
  const pairs = characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`)
  return withSingles || pairs.length === 0 ? [...pairs, ...characters] : pairs
}
