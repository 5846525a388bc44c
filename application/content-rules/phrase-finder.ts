import { folded } from '../../domain/text/folded.ts'
import { hasSymbols, lettersOf, type Letters } from '../../domain/text/letters.ts'
import { found_max, wordFinder, type WordFinder } from '../../domain/text/word-finder.ts'

/** A text in the forms that are searched for phrases. */
export interface ReadText {
  /** Includes symbols, for phrases that contain some. */
  readonly folded: string
  readonly letters: Letters
}

/** Prepares a text once for all phrases. */
export function readText(text: string): ReadText {
  return { folded: folded(text), letters: lettersOf(text) }
}

export interface ListedPhrase<Mark> {
  readonly phrase: string
  readonly mark: Mark
}

/** The marks of the phrases found in a text: about `found_max` at most. */
export type PhraseFinder<Mark> = (text: ReadText) => readonly Mark[]

/** A phrase by its letters. */
interface Said<Mark> {
  readonly said: string
  readonly mark: Mark
}

/** Prepares phrases for searching; undefined if there are none. */
export function phraseFinder<Mark>(phrases: readonly ListedPhrase<Mark>[]): PhraseFinder<Mark> | undefined {
  if (phrases.length === 0) return undefined
  const isOfLetters = ({ phrase }: ListedPhrase<Mark>): boolean => !hasSymbols(phrase) && lettersOf(phrase).said !== ''
  const symbols = wordFinder(
    phrases.filter((each) => !isOfLetters(each)).map(({ phrase, mark }) => ({ word: folded(phrase), mark })),
  )
  const words = lettersFinder(phrases.filter(isOfLetters))
  return ({ folded: text, letters }) => [...symbols.find(text), ...phrasesIn(words, letters)]
}

/**
 * Several phrases may look alike. A phrase may look different in capitals: the Greek nu looks like a v, its capital like an N.
 */
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
