import type { StreamName } from '../../domain/streams.ts'
import type { RecordedEvent } from './event-store.ts'
import type { Revision } from '../../domain/kernel/position.ts'

/** A state as of a revision: a shortcut, never the truth. One that can't be read counts as none. */
export interface Snapshot {
  readonly revision: Revision
  /** Plain JSON. */
  readonly state: unknown
}

/** A stream's snapshot and the events after it. */
export interface SnapshotAndTail {
  /** Undefined if there is no readable snapshot; then the tail begins at the start of the stream. */
  readonly snapshot: Snapshot | undefined
  /** The first events after it, at most `readPageEvents`. */
  readonly tail: readonly RecordedEvent[]
  /** Whether the tail reaches the end of the stream. */
  readonly isWhole: boolean
}

/** Keeps the latest snapshot of long streams. States that hold personal data are stored encrypted. */
export interface SnapshotStore {
  /** The snapshot of a stream in this version of the state's shape, if there is one. */
  load(stream: StreamName, stateVersion: number): Promise<Snapshot | undefined>
  /** The same with the events after it, in one read. Only for stores that keep events and snapshots in one database. */
  loadWithTail?(stream: StreamName, stateVersion: number): Promise<SnapshotAndTail>
  save(stream: StreamName, stateVersion: number, snapshot: Snapshot): Promise<void>
  /** Removes the snapshots of a stream, of every version. */
  forget(stream: StreamName): Promise<void>
}
