import { folded } from '../../domain/text/folded.js'
import { hasSymbols, lettersOf, type Letters } from '../../domain/text/letters.js'
import { found_max, wordFinder, type WordFinder } from '../../domain/text/word-finder.js'

/** A text in the forms that phrases are looked for in. */
export interface ReadText {
  /** With symbols, for phrases that have some. */
  readonly folded: string
  readonly letters: Letters
}

/** Reads a text once for all phrases. */
export function readText(text: string): ReadText {
  return { folded: folded(text), letters: lettersOf(text) }
}

export interface ListedPhrase<Mark> {
  readonly phrase: string
  readonly mark: Mark
}

/** The marks of the phrases that a text says, at most some `found_max`. */
export type PhraseFinder<Mark> = (text: ReadText) => readonly Mark[]

/** A phrase as its letters say it. */
interface Said<Mark> {
  readonly said: string
  readonly mark: Mark
}

/** Prepares phrases for being looked for; undefined for none. */
export function phraseFinder<Mark>(phrases: readonly ListedPhrase<Mark>[]): PhraseFinder<Mark> | undefined {
  if (phrases.length === 0) return undefined
  const isOfLetters = ({ phrase }: ListedPhrase<Mark>): boolean => !hasSymbols(phrase) && lettersOf(phrase).said !== ''
  const symbols = wordFinder(
    phrases.filter((each) => !isOfLetters(each)).map(({ phrase, mark }) => ({ word: folded(phrase), mark })),
  )
  const words = lettersFinder(phrases.filter(isOfLetters))
  return ({ folded: text, letters }) => [...symbols.find(text), ...phrasesIn(words, letters)]
}

/** Phrases may look alike, and a phrase may look different in capitals: the Greek nu is like a v, and its capital like an N. */
function lettersFinder<Mark>(phrases: readonly ListedPhrase<Mark>[]): WordFinder<readonly Said<Mark>[]> {
  const bySight = new Map<string, Said<Mark>[]>()
  for (const { phrase, mark } of phrases) {
    const { said } = lettersOf(phrase)
    for (const seen of new Set([phrase.toLowerCase(), phrase.toUpperCase()].map((each) => lettersOf(each).seen))) {
      const alike = bySight.get(seen)
      if (alike) alike.push({ said, mark })
      else bySight.set(seen, [{ said, mark }])
    }
  }
  return wordFinder([...bySight].map(([word, mark]) => ({ word, mark })))
}

function phrasesIn<Mark>(words: WordFinder<readonly Said<Mark>[]>, letters: Letters): readonly Mark[] {
  const found = new Set<Mark>()
  words.visit(letters.seen, (alike, start, end) => {
    for (const { said, mark } of alike) if (letters.reads(said, start, end)) found.add(mark)
    return found.size < found_max
  })
  return [...found]
}
