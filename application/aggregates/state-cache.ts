import { LRUCache } from 'lru-cache'
import { fold, type Decider, type DomainEvent } from '../../domain/kernel/decider.js'
import { growsTo } from '../../domain/kernel/grows-to.js'
import type { StreamName } from '../../domain/kernel/streams.js'
import {
  beforeAll,
  noStream,
  type EventStore,
  type Position,
  type RecordedEvent,
  type Revision,
} from '../ports/event-store.js'
import type { SnapshotStore } from '../ports/snapshots.js'

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

/** The states of one kind of aggregate, by stream and revision. */
export interface StateCache<State, Event> {
  /** The state that is at hand, or else the newest: others may have appended since. */
  atHand(stream: StreamName): Promise<Loaded<State>>
  /** The state of a stream that does not exist. */
  blank(): Loaded<State>
  /** The newest state: only the events that are missing here are read. */
  newest(stream: StreamName): Promise<Loaded<State>>
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
  // As sizes of 1: for a `max`, the cache would make room for all of them at once, and there is one for each kind of aggregate.
  const cache = new LRUCache<StreamName, Held<State>>(growsTo(cachedStates_max))

  const blank: Loaded<State> = { state: decider.initial, revision: noStream, position: beforeAll }

  async function newest(stream: StreamName): Promise<Held<State>> {
    const start = cache.get(stream) ?? (await fromSnapshot(stream))
    let { state, revision, position } = start
    for await (const page of store.readStream(stream, revision)) {
      state = fold(decider, page.map(asEventOf<Event>), state)
      ;({ revision, position } = page.at(-1) ?? { revision, position })
    }
    return keep(stream, { state, revision, position, snapshot: start.snapshot })
  }

  async function fromSnapshot(stream: StreamName): Promise<Held<State>> {
    const found = await snapshots.load(stream, stateVersion)
    if (!found) return { ...blank, snapshot: noStream }
    // It was written from a state of this very version.
    return { state: found.state as State, revision: found.revision, position: beforeAll, snapshot: found.revision }
  }

  /** Caches a state, unless a newer one was cached meanwhile; gives the newer of the two. */
  function keep(stream: StreamName, held: Held<State>): Held<State> {
    const cached = cache.get(stream)
    if (cached && cached.revision > held.revision) return cached
    cache.set(stream, held)
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
    blank: () => blank,
    atHand: async (stream) => cache.get(stream) ?? newest(stream),
    newest,
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
