import type { DiscoveryWithGuild } from '../../ports/queries/discovery-queries.js'
import type { Ports } from '../../ports.js'

interface Needs {
  readonly queries: Pick<Ports['queries'], 'discoveryReviews'>
}

/** How many listings are held at once. Each page holds the event loop a few times, about a millisecond each. */
const page_max = 100

/**
 * Every approved listing in the order of ids, read in pages: the next one while the caller works on this one. Those that are approved
 * meanwhile may be left out.
 */
export async function* approvedListings({ queries }: Needs): AsyncGenerator<readonly DiscoveryWithGuild[]> {
  let next = queries.discoveryReviews.listings(page_max, undefined)
  for (;;) {
    const page = await next
    const isLast = page.length < page_max
    if (!isLast) {
      next = queries.discoveryReviews.listings(page_max, page.at(-1)?.application.guildId)
      // A caller that goes no further does not hear of its failure.
      next.catch(() => undefined)
    }
    yield page
    if (isLast) return
  }
}
