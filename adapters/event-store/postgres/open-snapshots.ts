import { z } from 'zod'
import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.ts'
import type { Snapshot, SnapshotStore } from '../../../application/ports/snapshots.ts'
import type { StreamName } from '../../../domain/streams.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { rowOf } from '../../../application/sql/row-of.ts'
import { sql } from '../../../application/sql/sql.ts'
import { snapshotCodec } from '../snapshot-codec.ts'
import type { PostgresEventStore } from './open-event-store.ts'

export interface PostgresSnapshotsSettings {
  readonly database: PostgresDatabase
  readonly keys: PersonalDataKeys
  /** The events, if they are kept in the same database. */
  readonly events?: Pick<PostgresEventStore, 'readWithSnapshot'>
  /** Called for a snapshot that can't be read. It costs time, nothing else. */
  readonly onUnreadable?: (stream: StreamName, error: unknown) => void
}

const snapshotRow = rowOf((row: Snapshot) => row)

/** Opens the snapshots beside the events, in the schema `event_store`. States with personal data are sealed. */
export function openPostgresSnapshots({
  database,
  keys,
  events,
  onUnreadable,
}: PostgresSnapshotsSettings): SnapshotStore {
  const codec = snapshotCodec(keys)
  const decoded = async (stream: StreamName, stateVersion: number, stored: Snapshot | undefined) => {
    if (!stored) return undefined
    try {
      return await codec.decode(stream, stateVersion, stored)
    } catch (error) {
      onUnreadable?.(stream, error)
      return undefined
    }
  }
  const together: Pick<SnapshotStore, 'loadWithTail'> = events
    ? {
        async loadWithTail(stream, stateVersion) {
          const { stored, tail, isWhole } = await events.readWithSnapshot(stream, stateVersion)
          const snapshot = await decoded(stream, stateVersion, stored)
          // The snapshot is unreadable, so the events after it are not a whole history.
          if (stored && !snapshot) return { snapshot, tail: [], isWhole: false }
          return { snapshot, tail, isWhole }
        },
      }
    : {}
  return {
    ...together,
    async load(stream, stateVersion) {
      const row = await database.maybeOne(sql.type(snapshotRow)`
        select revision, state from event_store.snapshots where stream = ${stream} and state_version = ${stateVersion}
      `)
      return decoded(stream, stateVersion, row)
    },
    async save(stream, stateVersion, snapshot) {
      const state = await codec.encode(stream, stateVersion, snapshot)
      if (state === undefined) return
      await database.any(sql.type(z.object({}))`
        insert into event_store.snapshots as held (stream, state_version, revision, state)
        values (${stream}, ${stateVersion}, ${snapshot.revision}, ${state}::jsonb)
        on conflict (stream) do update
        set state_version = excluded.state_version, revision = excluded.revision, state = excluded.state
        where (held.state_version, held.revision) < (excluded.state_version, excluded.revision)
      `)
    },
    async forget(stream) {
      await database.any(sql.type(z.object({}))`delete from event_store.snapshots where stream = ${stream}`)
    },
  }
}
