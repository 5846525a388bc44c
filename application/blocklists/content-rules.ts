import {
  profileScopes,
  severities,
  type Blocklist,
  type ProfileScope,
  type Severity,
} from '../../domain/blocklist-entry/lists.js'
import { folded } from '../../domain/text/folded.js'
import { wordFinder, type WordFinder } from '../../domain/text/word-finder.js'
import type { BlocklistRecord } from '../ports/queries/blocklist-queries.js'
import { urlsIn } from './listed-urls.js'

/** The lists that texts are held against. */
export const contentLists = ['phrase', 'url', 'url-domain', 'profile-substring'] as const satisfies readonly Blocklist[]

/** An entry that a text contains. */
export interface ContentMatch {
  readonly entryId: string
  readonly list: Blocklist
  readonly severity: Severity
}

/** A text that somebody has sent. */
export interface SentText {
  readonly text: string
  /** What of a profile it is to be; null for every other text. */
  readonly scope: ProfileScope | null
}

/** Finds what of the blocklists a text contains (reference stores 4.13, Matching). */
export type ContentRules = (text: SentText) => readonly ContentMatch[]

type Finder = WordFinder<ContentMatch>

/** Characters of all entries together: some 40 bytes each, and less than half a second whenever an entry changes. */
export const phraseCharacters_max = 300_000

/** Prepares entries, the newest first, for being looked for. What is allowed is looked for no more. */
export function contentRules(records: readonly BlocklistRecord[]): ContentRules {
  const enforced = withinBound(records.filter(({ details }) => details.severity !== severities.ALLOW))
  const of = (list: Blocklist): readonly BlocklistRecord[] => enforced.filter((record) => record.list === list)
  const phrases = finderOf(of('phrase'))
  const substrings = of('profile-substring')
  const names = new Map<ProfileScope | null, Finder | undefined>(
    profileScopes.map((each) => [each, finderOf(substrings.filter(({ scope }) => scope === each))]),
  )
  const urls = byValue(of('url'))
  const hosts = byValue(of('url-domain'))
  return ({ text, scope }) => {
    const name = names.get(scope)
    const plain = phrases || name ? folded(text) : ''
    const links = urls.size > 0 || hosts.size > 0 ? urlsIn(text) : undefined
    return [
      ...(phrases?.find(plain) ?? []),
      ...(name?.find(plain) ?? []),
      ...(links?.urls.flatMap((url) => urls.get(url) ?? []) ?? []),
      ...(links?.hosts.flatMap((host) => hosts.get(host) ?? []) ?? []),
    ]
  }
}

function withinBound(records: readonly BlocklistRecord[]): readonly BlocklistRecord[] {
  let characters = 0
  return records.filter(({ value }) => {
    characters += value.length
    return characters <= phraseCharacters_max
  })
}

const matchOf = ({ entryId, list, details }: BlocklistRecord): ContentMatch => ({
  entryId,
  list,
  severity: details.severity,
})

function finderOf(records: readonly BlocklistRecord[]): Finder | undefined {
  if (records.length === 0) return undefined
  return wordFinder(records.map((record) => ({ word: folded(record.value), mark: matchOf(record) })))
}

function byValue(records: readonly BlocklistRecord[]): ReadonlyMap<string, ContentMatch> {
  return new Map(records.map((record) => [record.value, matchOf(record)]))
}
