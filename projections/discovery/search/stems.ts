import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import type { DirectoryLanguage } from '../../../domain/discovery-application/listing.ts'
import { foldedWord } from '../../../domain/text/folded-word.ts'

type Stemmer = (word: string) => string

/** A script, and who stems its words: of each language that is written in it, and of all others the first. */
interface StemmedScript {
  readonly letters: RegExp
  readonly stemmers: Readonly<Record<string, Stemmer>>
}

/** What languages have no stemmer is found by its beginnings, parts and typos. */
const scripts: readonly StemmedScript[] = [
  {
    letters: /\p{Script=Latin}/u,
    stemmers: {
      'en-US': english,
      da: danish,
      de: german,
      'es-ES': spanish,
      fi: finnish,
      fr: french,
      hu: hungarian,
      id: indonesian,
      it: italian,
      lt: lithuanian,
      nl: dutch,
      no: norwegian,
      'pt-BR': portuguese,
      ro: romanian,
      'sv-SE': swedish,
      tr: turkish,
    },
  },
  { letters: /\p{Script=Cyrillic}/u, stemmers: { ru: russian, bg: bulgarian, uk: ukrainian } },
  { letters: /\p{Script=Greek}/u, stemmers: { el: greek } },
  { letters: /\p{Script=Arabic}/u, stemmers: { ar: arabic } },
  { letters: /\p{Script=Devanagari}/u, stemmers: { hi: hindi } },
]
/** Spanish is one language here. */
const sameStemmer: Partial<Record<DirectoryLanguage, DirectoryLanguage>> = { 'es-419': 'es-ES' }

/** A shorter stem does not tell words apart. */
const stem_min = 3

/** By whose rules a word is stemmed: the name of a language, or `unstemmed`. */
export type Stemming = string
const unstemmed: Stemming = ''

/**
 * How a word is stemmed in a listing of this language: one in a script that the language is not written in, as of the first language
 * that is.
 */
export function stemmingOf(word: string, language: DirectoryLanguage): Stemming {
  const all = stemmingsOf(word)
  const wanted = sameStemmer[language] ?? language
  return all.includes(wanted) ? wanted : (all[0] ?? unstemmed)
}

/** All ways in which a word may be stemmed: who looks for one does not say in which language. */
export function stemmingsOf(word: string): readonly Stemming[] {
  const script = scriptOf(word)
  return script ? Object.keys(script.stemmers) : [unstemmed]
}

/** The stems of a word, both as it is written and without its marks. Stems of different stemmings never match. */
export function stemsBy(stemming: Stemming, word: string): readonly string[] {
  const stemmer = scriptOf(word)?.stemmers[stemming]
  if (!stemmer) return []
  const stems = new Set([foldedWord(stemmer(word)), foldedWord(stemmer(foldedWord(word)))])
  return [...stems].filter((stem) => stem.length >= stem_min).map((stem) => `${stemming} ${stem}`)
}

function scriptOf(word: string): StemmedScript | undefined {
  return scripts.find(({ letters }) => letters.test(word))
}
