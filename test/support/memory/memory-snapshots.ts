import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.ts'
import type { SnapshotStore } from '../../../application/ports/snapshots.ts'
import type { Revision } from '../../../domain/kernel/position.ts'
import type { StreamName } from '../../../domain/streams.ts'
import { snapshotCodec } from '../../../adapters/event-store/snapshot-codec.ts'

interface Row {
  readonly stateVersion: number
  readonly revision: Revision
  /** JSON text. */
  readonly state: string
}

/** A memory store's snapshots by stream, for tests that check what is written or tamper with it. */
export interface MemorySnapshots extends SnapshotStore {
  readonly rows: Map<string, Row>
}

export interface MemorySnapshotsSettings {
  readonly keys: PersonalDataKeys
  /** Called for a snapshot that can't be read. */
  readonly onUnreadable?: (stream: StreamName, error: unknown) => void
}

/** A snapshot store for tests, in memory only. */
export function memorySnapshots({ keys, onUnreadable }: MemorySnapshotsSettings): MemorySnapshots {
  const codec = snapshotCodec(keys)
  const rows = new Map<string, Row>()
  return {
    rows,
    async load(stream, stateVersion) {
      const row = rows.get(stream)
      if (row?.stateVersion !== stateVersion) return undefined
      try {
        return await codec.decode(stream, stateVersion, { revision: row.revision, state: JSON.parse(row.state) })
      } catch (error) {
        onUnreadable?.(stream, error)
        return undefined
      }
    },
    async save(stream, stateVersion, snapshot) {
      const state = await codec.encode(stream, stateVersion, snapshot)
      const held = rows.get(stream)
      const older =
        held &&
        (held.stateVersion > stateVersion || (held.stateVersion === stateVersion && held.revision > snapshot.revision))
      if (state !== undefined && !older) rows.set(stream, { stateVersion, revision: snapshot.revision, state })
    },
    forget: async (stream) => void rows.delete(stream),
  }
}
