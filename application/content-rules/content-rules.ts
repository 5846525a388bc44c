import {
  profileScopes,
  severities,
  type Blocklist,
  type ProfileScope,
  type Severity,
} from '../../domain/blocklist-entry/lists.ts'
import type { BlocklistRecord } from '../ports/queries/blocklist-queries.ts'
import { comparedUrl, urlsIn, withReadableUrls } from './listed-urls.ts'
import { phraseFinder, readText, type ListedPhrase, type PhraseFinder } from './phrase-finder.ts'

/** The blocklists that texts are checked against. */
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
  /** The part of a profile that the text is for; null for every other text. */
  readonly scope: ProfileScope | null
}

/** Finds the blocklist entries that a text contains (rules/http-and-limits#content). */
export type ContentRules = (text: SentText) => readonly ContentMatch[]

/**
 * Characters of all entries together. Each takes some 40 bytes, and preparing all of them takes under half a second after each
 * change.
 */
export const phraseCharacters_max = 300_000

/** Prepares entries, newest first, for matching. Entries with severity ALLOW are skipped. */
export function contentRules(records: readonly BlocklistRecord[]): ContentRules {
  const enforced = withinBound(records.filter(({ details }) => details.severity !== severities.ALLOW))
  const of = (list: Blocklist): readonly BlocklistRecord[] => enforced.filter((record) => record.list === list)
  const phrases = phraseFinder(of('phrase').map(listedPhrase))
  const substrings = of('profile-substring')
  const names = new Map<ProfileScope | null, PhraseFinder<ContentMatch> | undefined>(
    profileScopes.map((each) => [
      each,
      phraseFinder(substrings.filter(({ scope }) => scope === each).map(listedPhrase)),
    ]),
  )
  const urls = byValue(of('url'), comparedUrl)
  const hosts = byValue(of('url-domain'), (host) => host)
  return ({ text, scope }) => {
    const name = names.get(scope)
    const read = phrases || name ? readText(withReadableUrls(text)) : undefined
    const links = urls.size > 0 || hosts.size > 0 ? urlsIn(text) : undefined
    return [
      ...(read ? (phrases?.(read) ?? []) : []),
      ...(read ? (name?.(read) ?? []) : []),
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

function listedPhrase(record: BlocklistRecord): ListedPhrase<ContentMatch> {
  return { phrase: record.value, mark: matchOf(record) }
}

function byValue(
  records: readonly BlocklistRecord[],
  compared: (value: string) => string,
): ReadonlyMap<string, ContentMatch> {
  return new Map(records.map((record) => [compared(record.value), matchOf(record)]))
}
