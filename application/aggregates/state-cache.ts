import { LRUCache } from 'lru-cache'
import { fold, type Decider, type DomainEvent } from '../../domain/kernel/decider.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'
import type { StreamName } from '../../domain/streams.ts'
import type { EventStore, RecordedEvent } from '../ports/event-store.ts'
import { beforeAll, noStream, type Position, type Revision } from '../../domain/kernel/position.ts'
import type { Snapshot, SnapshotStore } from '../ports/snapshots.ts'

export interface CacheSettings {
  readonly store: EventStore
  readonly snapshots: SnapshotStore
  /** Told of a snapshot that could not be written: it costs time later, nothing else. */
  readonly onSnapshotFailure?: (stream: StreamName, error: unknown) => void
}

/** A state, and where the last event in it stands. */
export interface Loaded<State> {
  readonly state: State
  readonly revision: Revision
  /** `beforeAll` where it is not known: for a stream that does not exist, and for a state that comes from a snapshot alone. */
  readonly position: Position
}

/** Where the last event of a stream stands. */
export type StreamEnd = Pick<Loaded<unknown>, 'revision' | 'position'>

/** How fresh a loaded state must be. */
export type Freshness =
  /** It holds every event that the store holds when the load begins. Reads the events that are missing here. */
  | 'current'
  /**
   * It holds every event that this process has appended, and perhaps not those of other processes. Reads only where the cache
   * has no state of the stream.
   */
  | 'cached'
  /** It is the state before the first event, whatever the store holds. Reads nothing. */
  | 'initial'

/** The states of one kind of aggregate, by stream and revision. */
export interface StateCache<State, Event> {
  load(stream: StreamName, freshness: Freshness): Promise<Loaded<State>>
  /** Takes up events that were appended to a state from here. */
  advance(stream: StreamName, from: Loaded<State>, events: readonly Event[], end: StreamEnd): Loaded<State>
  forget(stream: StreamName): void
}

export const cachedStates_max = 20_000
/** A stream is snapshotted each time it has grown by so many events. */
export const snapshotEvery_events = 200

interface Held<State> extends Loaded<State> {
  /** The revision of the newest snapshot that is known of. */
  readonly snapshot: Revision
}

/** Makes an empty cache. `stateVersion` names the shape of the state in snapshots. */
export function stateCache<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  { store, snapshots, onSnapshotFailure }: CacheSettings,
  stateVersion: number,
): StateCache<State, Event> {
  // As sizes of 1: for a `max`, the cache would make space for all of them at once, and there is one for each kind of aggregate.
  const cache = new LRUCache<StreamName, Held<State>>(growsTo(cachedStates_max))

  const initial: Loaded<State> = { state: decider.initial, revision: noStream, position: beforeAll }

  async function current(stream: StreamName): Promise<Held<State>> {
    const cached = cache.get(stream)
    const { from, isWhole } = cached ? { from: cached, isWhole: false } : await fromSnapshot(stream)
    let held = from
    if (isWhole) return keep(stream, held)
    for await (const page of store.readStream(stream, from.revision)) held = after(held, page)
    return keep(stream, held)
  }

  function after(held: Held<State>, page: readonly RecordedEvent[]): Held<State> {
    const { revision, position } = page.at(-1) ?? held
    return { ...held, state: fold(decider, page.map(asEventOf<Event>), held.state), revision, position }
  }

  /** The state as of the snapshot, or as of a later event where those were read too; `isWhole` where none can be missing. */
  async function fromSnapshot(stream: StreamName): Promise<{ readonly from: Held<State>; readonly isWhole: boolean }> {
    const { snapshot, tail, isWhole } = (await snapshots.loadWithTail?.(stream, stateVersion)) ?? {
      snapshot: await snapshots.load(stream, stateVersion),
      tail: [],
      isWhole: false,
    }
    return { from: after(snapshot ? asOf(snapshot) : { ...initial, snapshot: noStream }, tail), isWhole }
  }

  function asOf({ state, revision }: Snapshot): Held<State> {
    // It was written from a state of this very version.
    return { state: state as State, revision, position: beforeAll, snapshot: revision }
  }

  /** Caches a state, unless it is that of no stream, or a newer one was cached meanwhile; gives the newer of the two. */
  function keep(stream: StreamName, held: Held<State>): Held<State> {
    const cached = cache.get(stream)
    if (cached && cached.revision > held.revision) return cached
    if (held.revision !== noStream) cache.set(stream, held)
    return held
  }

  function snapshotWhenDue(stream: StreamName, held: Held<State>): Held<State> {
    const { state, revision, snapshot } = held
    if (revision - snapshot < snapshotEvery_events) return held
    snapshots
      .save(stream, stateVersion, { revision, state })
      .catch((error: unknown) => onSnapshotFailure?.(stream, error))
    return { ...held, snapshot: revision }
  }

  return {
    load: async (stream, freshness) => {
      if (freshness === 'initial') return initial
      return (freshness === 'cached' && cache.get(stream)) || current(stream)
    },
    advance: (stream, from, events, { revision, position }) => {
      const snapshot = cache.get(stream)?.snapshot ?? noStream
      const state = fold(decider, events, from.state)
      return keep(stream, snapshotWhenDue(stream, { state, revision, position, snapshot }))
    },
    forget: (stream) => cache.delete(stream),
  }
}

/** Streams hold events of their own category alone, and the codec has checked type and version. */
function asEventOf<Event extends DomainEvent>({ type, data }: RecordedEvent): Event {
  return { type, data } as Event
}
