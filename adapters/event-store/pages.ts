import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { NewestEvents } from './newest-events.ts'
import type { News } from '../../application/concurrency/news.ts'

/** How many events of a stream or of the store are read at once. */
export const readPageEvents = 500

/** Reads the next events after a position, at most `limit`; a shorter page means that there are no more. */
export type ReadPage<Event = RecordedEvent> = (after: Position, limit: number) => Promise<readonly Event[]>

/** Every page after a position, up to the first one that is not full. */
export async function* pagesAfter<Event extends { readonly position: Position }>(
  after: Position,
  limit: number,
  readPage: ReadPage<Event>,
): AsyncGenerator<readonly Event[]> {
  let position = after
  for (;;) {
    const page = await readPage(position, limit)
    const last = page.at(-1)
    if (!last) return
    yield page
    if (page.length < limit) return
    position = last.position
  }
}

/** What the followers of one process share. */
export interface FollowedStore {
  readonly readPage: ReadPage
  readonly news: News<Position>
  readonly newest: NewestEvents
}

/**
 * Every page after a position, and then new pages as news arrive, until the signal aborts. Events in memory are not read again.
 * Without news, the store is read only when `news` stops waiting.
 */
export async function* followedPages(
  after: Position,
  { signal, maxEvents }: { readonly signal: AbortSignal; readonly maxEvents: number },
  { readPage, news, newest }: FollowedStore,
): AsyncGenerator<readonly RecordedEvent[]> {
  const follower = { position: after }
  newest.join(follower)
  try {
    let mayHaveMore = true
    while (!signal.aborted) {
      const known = news.newest()
      let page = newest.after(follower.position, maxEvents)
      const isAtHand = page.length > 0
      if (!isAtHand && (mayHaveMore || follower.position < known)) {
        page = await readPage(follower.position, maxEvents)
        newest.extend(follower.position, page)
      }
      const last = page.at(-1)
      if (last && !signal.aborted) {
        yield page
        follower.position = last.position
      }
      // Events announced before the read are in the page. If they are not, they can't be read yet, and repeating the read would
      // not help.
      if (isAtHand) mayHaveMore = false
      else if (page.length < maxEvents) {
        await news.after(follower.position > known ? follower.position : known, signal)
        mayHaveMore = true
      }
    }
  } finally {
    newest.leave(follower)
  }
}

/**
 * The same reads, shared: callers who ask for a page while it is being read get one answer. An empty page counts as empty for
 * `quiet_ms` for every caller, unless there is news.
 */
export function sharedReads(readPage: ReadPage, news: News<Position>, quiet_ms: number): ReadPage {
  const reading = new Map<string, Promise<readonly RecordedEvent[]>>()
  const quiet = { after: undefined as Position | undefined, until_ms: 0, known: news.newest() }
  return async (after, limit) => {
    if (quiet.after === after && quiet.known === news.newest() && performance.now() < quiet.until_ms) return []
    const page = `${after}/${limit}`
    const known = news.newest()
    const read = reading.get(page) ?? readPage(after, limit)
    reading.set(page, read)
    try {
      const events = await read
      if (events.length === 0) Object.assign(quiet, { after, known, until_ms: performance.now() + quiet_ms })
      return events
    } finally {
      reading.delete(page)
    }
  }
}
