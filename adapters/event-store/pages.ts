import type { Position, RecordedEvent } from '../../application/ports/event-store.js'
import type { News } from './news.js'

/** Reads the next events after a position: at most `limit`, fewer only where there are no more. */
export type ReadPage<Event = RecordedEvent> = (after: Position, limit: number) => Promise<readonly Event[]>

/** Every page after a position, up to the first that is not full. */
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

/** Every page after a position, and on as news of more come in, until the signal aborts. */
export async function* followedPages(
  after: Position,
  { signal, maxEvents }: { readonly signal: AbortSignal; readonly maxEvents: number },
  readPage: ReadPage,
  news: News,
): AsyncGenerator<readonly RecordedEvent[]> {
  let position = after
  while (!signal.aborted) {
    const known = news.newest()
    const page = await readPage(position, maxEvents)
    const last = page.at(-1)
    if (last && !signal.aborted) {
      yield page
      position = last.position
    }
    // What was announced before the read is in the page; or else it is not there to read, and asking on would not help.
    if (page.length < maxEvents) await news.after(position > known ? position : known, signal)
  }
}
