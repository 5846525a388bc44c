import type { EventStore } from '../../../application/ports/event-store.ts'
import { beforeAll, type Position } from '../../../domain/kernel/position.ts'
import { unlessAborted } from '../../../application/concurrency/pauses.ts'
import { newestEvents } from '../newest-events.ts'
import { newsOf } from '../../../application/concurrency/news.ts'
import { followedPages, sharedReads, type ReadPage } from '../pages.ts'
import { EventStoreUnavailable, pauses } from './failures.ts'
import { follow, type FollowParts } from './follow.ts'

export interface FollowersSettings extends FollowParts {
  readonly readPage: ReadPage
  readonly end: EventStore['end']
  /** Ends all followers. */
  readonly closing: AbortSignal
}

/** A subscription delivers new events. Beyond that, a follower checks this rarely whether the store holds more. */
const poll_ms = 5000
const pageEvents_max = 500

/**
 * All followers of the store in this process, fed by one subscription. Its events are decoded once and kept until each follower
 * has had them. A follower that is behind reads the store in pages until it has caught up. The subscription lasts while anyone
 * follows, waits for no follower, and is remade when it breaks. Source: decision 55.
 */
export function followers(settings: FollowersSettings): EventStore['follow'] {
  const { readPage, closing } = settings
  const news = newsOf(beforeAll, poll_ms)
  const newest = newestEvents()
  const read = sharedReads(readPage, news, poll_ms / 2)
  let following = 0
  let feeding = new AbortController()

  function enter(): void {
    following += 1
    if (following > 1) return
    feeding = new AbortController()
    void feed(settings, AbortSignal.any([closing, feeding.signal]), (after, events) => {
      newest.extend(after, events)
      news.announce(events.at(-1)?.position ?? after)
    })
  }

  function leave(): void {
    following -= 1
    if (following === 0) feeding.abort()
  }

  return async function* (after, { signal, maxEvents }) {
    const until = AbortSignal.any([signal, closing])
    enter()
    try {
      yield* followedPages(
        after,
        { signal: until, maxEvents },
        { readPage: persistently(read, settings, until), news, newest },
      )
    } finally {
      leave()
    }
  }
}

/** Reads until there is an answer. Gives an empty page once the signal aborts. */
function persistently(read: ReadPage, { onError }: FollowersSettings, signal: AbortSignal): ReadPage {
  const between = pauses(signal)
  return async (after, limit) => {
    while (!signal.aborted) {
      try {
        let page: Awaited<ReturnType<ReadPage>> = []
        const reading = async (): Promise<void> => void (page = await read(after, limit))
        await unlessAborted(reading(), signal)
        between.reset()
        return page
      } catch (error) {
        if (signal.aborted) break
        if (!(error instanceof EventStoreUnavailable)) throw error
        onError(error)
      }
      await between.next()
    }
    return []
  }
}

/** Passes on new events from now on until the signal aborts. */
async function feed(settings: FollowersSettings, signal: AbortSignal, give: Parameters<typeof fed>[3]): Promise<void> {
  const between = pauses(signal)
  let from: Position | undefined
  while (!signal.aborted) {
    try {
      from ??= await settings.end()
      from = await fed(settings, from, signal, give)
    } catch (error) {
      if (signal.aborted) return
      // Followers that read the store themselves meet this error too, and report it.
      if (!(error instanceof EventStoreUnavailable)) settings.onError(error)
      from = undefined
    }
    await between.next()
  }
}

async function fed(
  settings: FollowersSettings,
  from: Position,
  signal: AbortSignal,
  give: (after: Position, events: Parameters<ReturnType<typeof newestEvents>['extend']>[1]) => void,
): Promise<Position> {
  let after = from
  for await (const events of follow(settings, after, { signal, maxEvents: pageEvents_max })) {
    give(after, events)
    after = events.at(-1)?.position ?? after
  }
  return after
}
