import type { PostgresDatabase } from '../../adapters/postgres/database.js'
import type { Changes } from '../../application/caches/changes-at-hand.js'
import { heardEvents, type HeardEvents } from '../../application/caches/heard-events.js'
import { queriesAtHand } from '../../application/caches/queries-at-hand.js'
import { beforeAll, type EventStore, type Position, type RecordedEvent } from '../../application/ports/event-store.js'
import type { AllQueries } from '../../application/ports.js'
import { pause } from '../../application/concurrency/pauses.js'
import { guildsAtPosition } from '../../projections/guilds/queries.js'
import type { ProjectionRunner } from '../../projections/runner/runner.js'
import { openQueries } from '../../projections/read-models.js'
import type { Store } from '../store.js'
import type { Carrier } from './carrier.js'

/** The cached queries of a process that plays every role alone, and their connection to its projector. */
export interface HeldQueries {
  readonly queries: AllQueries
  /** How often the instance has changed. */
  readonly instance: Changes
  /** Called when live tables may have been replaced, whose rows differ without an event. */
  forgetAll(): void
  /** Wraps the carrier: it passes events to the queries before anyone else, and tells them whether this process projects. */
  hearing(carrier: Carrier): Pick<Carrier, 'onCommitted' | 'whileLeading'>
  /** Wraps the store for the projector: it notes how far the projector may get before it gets there. */
  noting(store: EventStore): EventStore
  /** Sets the projections whose position is the published one. */
  follow(projections: Pick<ProjectionRunner, 'position'>): void
}

/** The cached queries of a process that answers clients beside others. */
export interface FollowedQueries
  extends Pick<HeldQueries, 'queries' | 'instance' | 'forgetAll'>, Pick<HeardEvents, 'asOf'> {
  close(): Promise<void>
}

type FollowingParts = Pick<Store, 'events'> & {
  readonly database: PostgresDatabase
  readonly onError: (error: unknown) => void
}

const followedPage = 500
const retry_ms = 500

/**
 * Follows the store, to hear of every event that may change what is cached. The store tells of events as they are appended, before
 * the read models hold them; `asOf` says when these do.
 */
export async function openFollowedQueries(
  { database, events, onError }: FollowingParts,
  instance: Changes,
): Promise<FollowedQueries> {
  const heard = heardEvents({
    from: await events.end(),
    pass: (event) => atHand.forget(event),
    passAll: () => atHand.forgetAll(),
  })
  const atHand = queriesAtHand({
    queries: openQueries(database),
    guildsAtPosition: guildsAtPosition(database),
    published: () => heard.position,
    isCurrent: () => heard.isCurrent,
    instance,
    now_ms: () => performance.now(),
  })
  const stopping = new AbortController()
  const { signal } = stopping
  const following = (async () => {
    while (!signal.aborted) {
      try {
        for await (const page of events.follow(heard.heard, { signal, maxEvents: followedPage })) heard.hear(page)
      } catch (error) {
        if (!signal.aborted) onError(error)
      }
      await pause(retry_ms, signal)
    }
  })()
  atHand.begin()
  return {
    queries: atHand.queries,
    instance: atHand.instance,
    forgetAll: atHand.forgetAll,
    asOf: heard.asOf,
    async close() {
      stopping.abort()
      await following
    },
  }
}

/** Nothing is cached before the projector leads. */
export function openHeldQueries({ database }: { readonly database: PostgresDatabase }, instance: Changes): HeldQueries {
  let projections: Pick<ProjectionRunner, 'position'> | undefined
  let given = beforeAll
  const published = (): Position => projections?.position ?? beforeAll
  const atHand = queriesAtHand({
    queries: openQueries(database),
    guildsAtPosition: guildsAtPosition(database),
    published,
    instance,
    now_ms: () => performance.now(),
    projected: () => (given > published() ? given : published()),
  })
  async function* noted(pages: AsyncIterable<readonly RecordedEvent[]>): AsyncGenerator<readonly RecordedEvent[]> {
    for await (const page of pages) {
      const { position } = page.at(-1) ?? { position: given }
      if (position > given) given = position
      yield page
    }
  }
  return {
    queries: atHand.queries,
    instance: atHand.instance,
    forgetAll: atHand.forgetAll,
    hearing: ({ onCommitted, whileLeading }) => ({
      onCommitted(events) {
        for (const event of events) atHand.forget(event)
        return onCommitted(events)
      },
      whileLeading(readModels) {
        const endOther = whileLeading?.(readModels)
        atHand.begin()
        return async () => {
          atHand.end()
          await endOther?.()
        }
      },
    }),
    noting: (store) => ({
      ...store,
      readAll: (after) => noted(store.readAll(after)),
      follow: (after, options) => noted(store.follow(after, options)),
    }),
    follow(runner) {
      projections = runner
    },
  }
}
