import { blocks } from '../../domain/blocklist-entry/lists.js'
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

/** A rule holds in every process so long after the read models hold it, at most; as long, one that is gone may go on. */
export const copyAge_ms_max = 1000
/** Where there are more, the newest count. */
export const knownEntries_max = 50_000

/** Resolves once the rules are known. One small query a second tells whether there is something new. */
export async function openContentFilter(settings: ContentFilterSettings): Promise<ContentFilter> {
  const { queries, onMatch, onError } = settings
  let rules: ContentRules = () => []
  let changes: number | undefined
  let looking: Promise<void> | undefined
  let isFailing = false

  async function look(): Promise<void> {
    // Before the entries: what changes in between is found by the next look.
    const newest = await queries.changes()
    if (newest === changes) return
    rules = contentRules(await queries.newestOf(contentLists, knownEntries_max))
    changes = newest
  }

  function refresh(): Promise<void> {
    looking ??= look().finally(() => (looking = undefined))
    return looking
  }

  async function refreshInTime(): Promise<void> {
    try {
      await refresh()
      isFailing = false
    } catch (error) {
      // Once, and not each second for as long as Postgres is away.
      if (!isFailing) onError(error)
      isFailing = true
    }
  }

  await refresh()
  const timer = setInterval(() => void refreshInTime(), copyAge_ms_max).unref()
  return {
    blocks(texts) {
      const matches = texts.flatMap((text) => rules(text))
      for (const match of matches) onMatch(match)
      return matches.some(({ severity }) => blocks(severity))
    },
    refresh,
    close: () => clearInterval(timer),
  }
}
