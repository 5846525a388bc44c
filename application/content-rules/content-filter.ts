import { blocks } from '../../domain/blocklist-entry/lists.js'
import { openRefreshedCopy } from '../caches/refreshed-copy.js'
import type { BlocklistQueries } from '../ports/queries/blocklist-queries.js'
import { contentLists, contentRules, type ContentMatch, type ContentRules, type SentText } from './content-rules.js'

/** The rules about texts as one process knows them, so that a request costs no query. */
export interface ContentFilter {
  /** Whether one of these texts may not be said here. */
  blocks(texts: readonly SentText[]): boolean
  /** Looks for what is new at once. */
  refresh(): Promise<void>
  close(): void
}

export interface ContentFilterSettings {
  readonly queries: Pick<BlocklistQueries, 'changes' | 'newestOf'>
  /** Told of every entry that a text contains, those that only warn among them. The text itself is nobody's concern. */
  readonly onMatch: (match: ContentMatch) => void
  /** Told of the first look that fails after one that did not: the rules that are known go on to hold. */
  readonly onError: (error: unknown) => void
}

/** Where there are more, the newest count. */
export const knownEntries_max = 50_000

/** Resolves once the rules are known; they are as old as a refreshed copy may be. */
export async function openContentFilter({ queries, onMatch, onError }: ContentFilterSettings): Promise<ContentFilter> {
  const copy = await openRefreshedCopy<ContentRules>({
    changes: () => queries.changes(),
    read: async () => contentRules(await queries.newestOf(contentLists, knownEntries_max)),
    onError,
  })
  return {
    blocks(texts) {
      const matches = texts.flatMap((text) => copy.current()(text))
      for (const match of matches) onMatch(match)
      return matches.some(({ severity }) => blocks(severity))
    },
    refresh: () => copy.refresh(),
    close: () => copy.close(),
  }
}
