import type { HeldBackEvent } from '../../application/dry-runs/dry-run.ts'
import type { EventStore, RecordedEvent, StreamAsOf } from '../../application/ports/event-store.ts'
import type { SnapshotAndTail, SnapshotStore } from '../../application/ports/snapshots.ts'
import type { Revision } from '../../domain/kernel/position.ts'
import type { StreamName } from '../../domain/streams.ts'

/**
 * The same store, which appends nothing: it keeps what was to be appended in `heldBack` and says that it was appended. For a dry
 * run, in which every decision is made as in a real run. Its readers do not find what it holds back; the cache of states, which
 * takes up what was appended, does.
 */
export function holdingBack(store: EventStore): {
  readonly store: EventStore
  readonly heldBack: readonly HeldBackEvent[]
} {
  const heldBack: HeldBackEvent[] = []
  const append: EventStore['append'] = async (stream, expected, events) => {
    heldBack.push(...events.map((event) => ({ ...event, stream })))
    return { outcome: 'appended', revision: expected + events.length, position: await store.end() }
  }
  return { store: { ...store, append }, heldBack }
}

/**
 * The same store, for a change that somebody chose by what streams held: until its own first event in one of them, it rejects with
 * the error if that stream has had other events since, also for a change that then has nothing left to append.
 */
export function unlessChanged(store: EventStore, chosen: readonly StreamAsOf[], error: Error): EventStore {
  const at = new Map(chosen.map(({ stream, revision }) => [stream, revision]))
  const own = new Set<StreamName>()
  const append: EventStore['append'] = async (to, expected, events) => {
    const from = at.get(to)
    if (from === undefined) return store.append(to, expected, events)
    // Whoever expects less has an old state, and learns from the store's answer that it must read on.
    if (expected > from) throw error
    const appended = await store.append(to, expected, events)
    if (appended.outcome === 'appended') {
      own.add(to)
      at.set(to, appended.revision)
    }
    return appended
  }
  async function* readStream(of: StreamName, after: Revision): AsyncIterable<readonly RecordedEvent[]> {
    const from = own.has(of) ? undefined : at.get(of)
    for await (const page of store.readStream(of, after)) {
      if (from !== undefined && page.some((event) => event.revision > from)) throw error
      yield page
    }
  }
  return { ...store, append, readStream }
}

/** The same snapshots but those of some streams, whose states then come from their events alone. */
export function withoutSnapshotsOf(snapshots: SnapshotStore, streams: ReadonlySet<StreamName>): SnapshotStore {
  const bound = snapshots.loadWithTail?.bind(snapshots)
  return {
    ...snapshots,
    load: async (of, stateVersion) => (streams.has(of) ? undefined : snapshots.load(of, stateVersion)),
    ...(bound && {
      loadWithTail: async (of, stateVersion) => (streams.has(of) ? nothingRead : bound(of, stateVersion)),
    }),
  }
}

const nothingRead: SnapshotAndTail = { snapshot: undefined, tail: [], isWhole: false }
