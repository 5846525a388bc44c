import type { StreamName } from '../../domain/kernel/streams.js'
import type { Revision } from './event-store.js'

/** A state as of a revision: a shortcut, never the truth. One that can't be read is as good as none. */
export interface Snapshot {
  readonly revision: Revision
  /** Plain JSON. */
  readonly state: unknown
}

/** Keeps the latest snapshot of long streams. States that hold personal data are stored encrypted. */
export interface SnapshotStore {
  /** The snapshot of a stream that was written in this version of the state's shape, if there is one. */
  load(stream: StreamName, stateVersion: number): Promise<Snapshot | undefined>
  save(stream: StreamName, stateVersion: number, snapshot: Snapshot): Promise<void>
  /** Removes what is kept of a stream, whatever its version. */
  forget(stream: StreamName): Promise<void>
}
