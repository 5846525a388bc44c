import { call, type ReplyOf } from '../api/call.ts'
import { pageOf, withIds, type Resource } from '../lists/resource.ts'

/** An application to the directory that waits, with what a reviewer needs. */
export type QueuedApplication = ReplyOf<'listDiscoveryReviewQueue'>['applications'][number]
/** A guild in the directory. */
export type Listing = ReplyOf<'listDiscoveryListings'>[number]

/** How many of the queue are looked through for one application: as many as a page of the API has. */
const page_max = 100

/** The applications that wait, the oldest first. */
export const directory: Resource = {
  list: async (asked) => {
    const query = { limit: Math.min(asked.limit, page_max), ...(asked.cursor !== null && { cursor: asked.cursor }) }
    const { applications, next_cursor: next } = await call('listDiscoveryReviewQueue', { query })
    asked.goesOnAt(next)
    return pageOf(
      withIds(applications, ({ guild_id: id }) => id),
      asked,
      next !== null,
    )
  },
  one: async (id) => {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { limit: page_max, ...(cursor !== undefined && { cursor }) }
      const page: ReplyOf<'listDiscoveryReviewQueue'> = await call('listDiscoveryReviewQueue', { query })
      const found = page.applications.find(({ guild_id: guildId }) => guildId === id)
      if (found) return { ...found, id }
      cursor = page.next_cursor
    }
    return null
  },
}

/** The guilds in the directory. The API gives all of them at once. */
export const listings: Resource = {
  list: async ({ limit, offset }) => {
    const all = await call('listDiscoveryListings')
    const shown = all.slice(offset, offset + limit)
    return { data: withIds(shown, ({ guild_id: id }) => id), total: all.length }
  },
}
