import { call, type Input, type ReplyOf } from '../api/call.ts'
import { pageOf, withIds, type Resource } from '../lists/resource.ts'

/** An event as history shows it. */
export type HistoryEvent = ReplyOf<'searchHistoryEvents'>[number]

/** How many events the API gives at most at a time. */
const page_max = 100

/** Events of all streams, the newest first. A page goes on before the oldest event of the one before it. */
export const historyEvents: Resource = {
  list: async (asked) => {
    const events: HistoryEvent[] = []
    let before = asked.cursor ?? undefined
    let isMore = true
    while (isMore && events.length < asked.limit) {
      const limit = Math.min(asked.limit - events.length, page_max)
      const query = { ...asked.filter, before, limit } as Input<'searchHistoryEvents'>['query']
      const found = await call('searchHistoryEvents', { query })
      events.push(...found)
      before = found.at(-1)?.position ?? before
      isMore = found.length === limit
    }
    asked.goesOnAt(before ?? null)
    return pageOf(
      withIds(events, ({ event_id: id }) => id),
      asked,
      isMore,
    )
  },
}
