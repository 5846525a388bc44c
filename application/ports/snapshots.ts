import type { StreamName } from '../../domain/streams.js'
import type { RecordedEvent, Revision } from './event-store.js'

/** A state as of a revision: a shortcut, never the truth. One that can't be read is as good as none. */
export interface Snapshot {
  readonly revision: Revision
  /** Plain JSON. */
  readonly state: unknown
}

/** A stream from its snapshot on. */
export interface SnapshotAndTail {
  /** Undefined where there is none that can be read: then the tail begins with the stream. */
  readonly snapshot: Snapshot | undefined
  /** The first events after it, at most `readPageEvents`. */
  readonly tail: readonly RecordedEvent[]
  /** Whether nothing of the stream comes after the tail. */
  readonly isWhole: boolean
}

/** Keeps the latest snapshot of long streams. States that hold personal data are stored encrypted. */
export interface SnapshotStore {
  /** The snapshot of a stream that was written in this version of the state's shape, if there is one. */
  load(stream: StreamName, stateVersion: number): Promise<Snapshot | undefined>
  /** The same with the events after it, in one read: only where events and snapshots are kept in one place. */
  loadWithTail?(stream: StreamName, stateVersion: number): Promise<SnapshotAndTail>
  save(stream: StreamName, stateVersion: number, snapshot: Snapshot): Promise<void>
  /** Removes what is kept of a stream, whatever its version. */
  forget(stream: StreamName): Promise<void>
}
