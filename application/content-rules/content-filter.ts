import { blocks } from '../../domain/blocklist-entry/lists.ts'
import { openRefreshedCopy } from '../caches/refreshed-copy.ts'
import type { BlocklistQueries } from '../ports/queries/blocklist-queries.ts'
import { contentLists, contentRules, type ContentMatch, type ContentRules, type SentText } from './content-rules.ts'

/** The rules about texts, held in memory by each process, so that a request costs no query. */
export interface ContentFilter {
  /** Whether the rules block one of these texts. */
  blocks(texts: readonly SentText[]): boolean
  /** Looks for changes at once. */
  refresh(): Promise<void>
  close(): void
}

export interface ContentFilterSettings {
  readonly queries: Pick<BlocklistQueries, 'changes' | 'newestOf'>
  /**
   * Called once for texts that contain entries, with each of these once, including those that only warn. It does not get the texts.
   */
  readonly onMatch: (matches: readonly ContentMatch[]) => void
  /** Called with the first error after a successful look. The known rules stay in force. */
  readonly onError: (error: unknown) => void
}

/** If there are more entries, only the newest count. */
export const knownEntries_max = 50_000

/** Resolves once the rules are loaded. They may be as old as a refreshed copy. */
export async function openContentFilter({ queries, onMatch, onError }: ContentFilterSettings): Promise<ContentFilter> {
  const copy = await openRefreshedCopy<ContentRules>({
    changes: () => queries.changes(),
    read: async () => contentRules(await queries.newestOf(contentLists, knownEntries_max)),
    onError,
  })
  return {
    blocks(texts) {
      const matches = texts.flatMap((text) => copy.current()(text))
      if (matches.length > 0) onMatch([...new Map(matches.map((match) => [match.entryId, match])).values()])
      return matches.some(({ severity }) => blocks(severity))
    },
    refresh: () => copy.refresh(),
    close: () => copy.close(),
  }
}
