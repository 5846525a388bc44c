import { foldedWord } from '../../../domain/text/folded-word.ts'
import { stemmingsOf, stemsBy } from './stems.ts'
import type { Vocabulary, Word } from './vocabulary.ts'

/**
 * The words that may be meant by one that is looked for, the surest first: written so; the same but for marks or its ending; beginning
 * with it or having it as a part; the same but for one typo. Some are in several.
 */
export type Meanings = readonly [readonly Word[], readonly Word[], readonly Word[], readonly Word[]]

export const meanings_count = 4

/** So many letters are the beginning of a word; so many a part of one, behind so many others; so many may have a typo. */
const beginning_min = 3
const part_min = 4
const beforePart_min = 3
const typo_min = 5

/** What is meant by a word (`wantedWords`). */
export function meaningsOf(vocabulary: Vocabulary, text: string): Meanings {
  const folded = foldedWord(text)
  const stems = stemmingsOf(text).flatMap((stemming) => stemsBy(stemming, text))
  return [
    vocabulary.written(text),
    [...vocabulary.folded(folded), ...stems.flatMap((stem) => vocabulary.stemmed(stem))],
    partsOf(vocabulary, folded),
    mayHaveTypo(text, folded) ? [...vocabulary.near(folded)] : [],
  ]
}

function partsOf(vocabulary: Vocabulary, folded: string): readonly Word[] {
  if (folded.length < beginning_min) return []
  const near = folded.length < part_min ? vocabulary.beginning(folded) : vocabulary.around(folded)
  return near.filter((word) => isPart(folded, word))
}

/** Whether a word begins with this one, or has it as the part of a compound: "spiel" is one of "Brettspiel", not "rust" of "Trust". */
function isPart(part: string, { folded }: Word): boolean {
  return folded.startsWith(part) || (part.length >= part_min && folded.includes(part, beforePart_min))
}

/** In a number no digit is a typo. */
function mayHaveTypo(text: string, folded: string): boolean {
  return Math.min(Array.from(text).length, folded.length) >= typo_min && !/\p{N}/u.test(text)
}
