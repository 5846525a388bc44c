import type { PostgresDatabase } from '../../adapters/postgres/database.ts'
import type { Changes } from '../../application/caches/cached-changes.ts'
import { heardEvents, type HeardEvents } from '../../application/caches/heard-events.ts'
import { cachedQueries } from '../../application/caches/cached-queries.ts'
import { beforeAll, type Position } from '../../domain/kernel/position.ts'
import type { AllQueries } from '../../application/ports.ts'
import { pause } from '../../application/concurrency/pauses.ts'
import { guildsAtPosition } from '../../projections/guilds/queries.ts'
import type { ProjectionRunner } from '../../projections/runner/runner.ts'
import { openQueries } from '../../projections/read-models.ts'
import type { Store } from '../store.ts'
import type { Carrier } from './carrier.ts'

/** The cached queries of a process that plays every role alone, and their connection to its projector. */
export interface ProjectorCache {
  readonly queries: AllQueries
  /** How often the instance has changed. */
  readonly instance: Changes
  /** Called when live tables may have been replaced, whose rows differ without an event. */
  forgetAll(): void
  /** Wraps the carrier: it passes events to the queries before anyone else, and tells them whether this process projects. */
  hearing(carrier: Carrier): Pick<Carrier, 'onCommitted' | 'whileLeading'>
  /** Sets the projections whose position is the published one. */
  follow(projections: Pick<ProjectionRunner, 'position'>): void
}

/** The cached queries of a process that answers clients while other processes do so too. */
export interface FollowingCache
  extends Pick<ProjectorCache, 'queries' | 'instance' | 'forgetAll'>, Pick<HeardEvents, 'asOf'> {
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
export async function openFollowingCache(
  { database, events, onError }: FollowingParts,
  instance: Changes,
): Promise<FollowingCache> {
  const heard = heardEvents({
    from: await events.end(),
    pass: (event) => cached.forget(event),
    passAll: () => cached.forgetAll(),
  })
  const cached = cachedQueries({
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
  cached.begin()
  return {
    queries: cached.queries,
    instance: cached.instance,
    forgetAll: () => cached.forgetAll(),
    asOf: (held) => heard.asOf(held),
    async close() {
      stopping.abort()
      await following
    },
  }
}

/** Nothing is cached before the projector leads. */
export function openProjectorCache(
  { database }: { readonly database: PostgresDatabase },
  instance: Changes,
): ProjectorCache {
  let projections: Pick<ProjectionRunner, 'position'> | undefined
  const published = (): Position => projections?.position ?? beforeAll
  const cached = cachedQueries({
    queries: openQueries(database),
    guildsAtPosition: guildsAtPosition(database),
    published,
    instance,
    now_ms: () => performance.now(),
  })
  return {
    queries: cached.queries,
    instance: cached.instance,
    forgetAll: () => cached.forgetAll(),
    hearing: ({ onCommitted, whileLeading }) => ({
      onCommitted(events) {
        for (const event of events) cached.forget(event)
        return onCommitted(events)
      },
      whileLeading(readModels) {
        const endOther = whileLeading?.(readModels)
        cached.begin()
        return async () => {
          cached.end()
          await endOther?.()
        }
      },
    }),
    follow(runner) {
      projections = runner
    },
  }
}
