import type { GuildId } from '../../../domain/ids/ids.js'
import type { DiscoveryWithGuild } from '../../ports/queries/discovery-queries.js'
import type { Ports } from '../../ports.js'

interface Needs {
  readonly queries: Pick<Ports['queries'], 'discoveryReviews'>
}

/** How many listings are held at once. */
const page_max = 500

/** Every approved listing in the order of ids, read in pages. Those that are approved meanwhile may be left out. */
export async function* approvedListings({ queries }: Needs): AsyncGenerator<readonly DiscoveryWithGuild[]> {
  let after: GuildId | undefined
  for (;;) {
    const page = await queries.discoveryReviews.listings(page_max, after)
    yield page
    if (page.length < page_max) return
    after = page.at(-1)?.application.guildId
  }
}
