import { openContentFilter, type ContentFilter } from '../../application/content-rules/content-filter.ts'
import type { Base } from './base.ts'

/** The rules about texts, for a process that serves the API. */
export async function openContentRules({
  options: { logger },
  queries,
  closings,
  onError,
}: Base): Promise<ContentFilter> {
  const contentFilter = await openContentFilter({
    queries: queries.blocklists,
    onMatch: (matches) => {
      logger.warn({ matches }, 'a text is on a blocklist')
    },
    onError,
  })
  closings.add(async () => contentFilter.close())
  return contentFilter
}

/** For a process that takes no texts of clients. */
export const noContentRules: Pick<ContentFilter, 'blocks'> = { blocks: () => false }
