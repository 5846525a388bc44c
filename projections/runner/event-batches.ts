import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { Position } from '../../domain/kernel/position.ts'

/** How many events one transaction takes, for live events and while history is replayed. */
export const liveBatch_events_max = 500
export const rebuildBatch_events_max = 5000

/** Joins pages into batches of about `rebuildBatch_events_max` events, up to a position; reads one batch ahead. */
export async function* rebuildBatches(
  pages: AsyncIterable<readonly RecordedEvent[]>,
  upTo: Position,
): AsyncGenerator<readonly RecordedEvent[]> {
  const batches = joined(pages, upTo)
  try {
    let next = batches.next()
    for (;;) {
      const { value, done } = await next
      if (done) return
      next = batches.next()
      // If no consumer takes this batch, its error is not lost: the next call gets it.
      next.catch(ignore)
      yield value
    }
  } finally {
    await batches.return(undefined)
  }
}

async function* joined(
  pages: AsyncIterable<readonly RecordedEvent[]>,
  upTo: Position,
): AsyncGenerator<readonly RecordedEvent[], undefined> {
  let batch: RecordedEvent[] = []
  for await (const page of pages) {
    const wanted = page.filter(({ position }) => position <= upTo)
    batch.push(...wanted)
    if (wanted.length < page.length) break
    if (batch.length < rebuildBatch_events_max) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
  return undefined
}

const ignore = (): void => undefined
