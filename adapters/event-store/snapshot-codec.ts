import type { Snapshot } from '../../application/ports/snapshots.js'
import type { PersonalDataKeys } from '../../application/ports/personal-data-keys.js'
import { accountId, type AccountId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import { categoryOf, type StreamName } from '../../domain/kernel/streams.js'
import { eventCatalogs, type EventCatalogs } from './catalogs.js'
import { isSealed, seal, unseal } from './sealing.js'

/** Turns states into what snapshot stores keep: sealed whole where the category has personal data. */
export interface SnapshotCodec {
  /** The JSON text of the state; undefined where it must not be kept: its account's key is destroyed, or none would do. */
  encode(stream: StreamName, stateVersion: number, snapshot: Snapshot): Promise<string | undefined>
  /** The state; undefined where its account's key is destroyed. Rejects where what is stored is not what was written. */
  decode(stream: StreamName, stateVersion: number, stored: Snapshot): Promise<Snapshot | undefined>
}

export function snapshotCodec(keys: PersonalDataKeys, catalogs: EventCatalogs = eventCatalogs): SnapshotCodec {
  return {
    async encode(stream, stateVersion, { revision, state }) {
      if (catalogOf(catalogs, stream)?.snapshots === 'none') return undefined
      const subject = subjectOf(catalogs, stream)
      if (subject === undefined) return JSON.stringify(state)
      const key = (await keys.keysFor([subject])).get(subject)
      return key && JSON.stringify(seal(key, context(stream, stateVersion, revision), state))
    },
    async decode(stream, stateVersion, { revision, state }) {
      const subject = subjectOf(catalogs, stream)
      if (subject === undefined) return { revision, state }
      if (!isSealed(state)) throw new Error('a snapshot with personal data is not sealed')
      const key = (await keys.existingKeys([subject])).get(subject)
      return key && { revision, state: unseal(key, context(stream, stateVersion, revision), state) }
    },
  }
}

/** The account that a state is about, where its category holds personal data: read off the name of the stream. */
function subjectOf(catalogs: EventCatalogs, stream: StreamName): AccountId | undefined {
  const catalog = catalogOf(catalogs, stream)
  if (catalog?.snapshots === 'clear') return undefined
  return catalog?.subjectOf && accountId(snowflake(catalog.subjectOf(stream, {})))
}

function catalogOf(catalogs: EventCatalogs, stream: StreamName) {
  const category = categoryOf(stream)
  return category && catalogs[category]
}

const context = (stream: StreamName, stateVersion: number, revision: number): readonly string[] => [
  'snapshot',
  stream,
  String(stateVersion),
  String(revision),
]
