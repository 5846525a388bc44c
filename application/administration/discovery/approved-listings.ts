import type { DiscoveryWithGuild } from '../../ports/queries/discovery-queries.ts'
import type { Ports } from '../../ports.ts'

interface Needs {
  readonly queries: Pick<Ports['queries'], 'discoveryReviews'>
}

/** How many listings are held at once. A page holds the event loop for about a millisecond. */
const page_max = 50

/**
 * Every approved listing in the order of ids, as `complete` makes it of the listings of a page. The next page is read and completed
 * while the caller works on this one. Those that are approved meanwhile may be left out.
 */
export async function* approvedListings<Item>(
  { queries }: Needs,
  complete: (page: readonly DiscoveryWithGuild[]) => Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  const read = async (after: DiscoveryWithGuild | undefined) => {
    const page = await queries.discoveryReviews.listings(page_max, after?.application.guildId)
    return { items: await complete(page), last: page.at(-1), isLast: page.length < page_max }
  }
  let next = read(undefined)
  for (;;) {
    const { items, last, isLast } = await next
    if (!isLast) {
      next = read(last)
      // A caller that goes no further does not hear of its failure.
      next.catch(() => undefined)
    }
    yield items
    if (isLast) return
  }
}
