import { z } from 'zod'
import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.js'
import type { SnapshotStore } from '../../../application/ports/snapshots.js'
import type { StreamName } from '../../../domain/kernel/streams.js'
import type { PostgresDatabase } from '../../postgres/database.js'
import { sql } from '../../../application/ports/database.js'
import { snapshotCodec } from '../snapshot-codec.js'
import { layTables } from './lay-tables.js'

export interface PostgresSnapshotsSettings {
  readonly database: PostgresDatabase
  readonly keys: PersonalDataKeys
  /** Told of a snapshot that can't be read: it costs time, nothing else. */
  readonly onUnreadable?: (stream: StreamName, error: unknown) => void
}

const snapshotRow = z.object({ revision: z.int(), state: z.unknown() })

/** Opens the snapshots beside the events, in the schema `event_store`. States with personal data are kept sealed. */
export async function openPostgresSnapshots({
  database,
  keys,
  onUnreadable,
}: PostgresSnapshotsSettings): Promise<SnapshotStore> {
  await layTables(database)
  const codec = snapshotCodec(keys)
  return {
    async load(stream, stateVersion) {
      const row = await database.maybeOne(sql.type(snapshotRow)`
        select revision, state from event_store.snapshots where stream = ${stream} and state_version = ${stateVersion}
      `)
      if (!row) return undefined
      try {
        return await codec.decode(stream, stateVersion, { revision: row.revision, state: row.state })
      } catch (error) {
        onUnreadable?.(stream, error)
        return undefined
      }
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
