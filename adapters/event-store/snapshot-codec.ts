import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Snapshot } from '../../application/ports/snapshots.ts'
import type { PersonalDataKeys } from '../../application/ports/personal-data-keys.ts'
import { eventCatalogs, type EventCatalogs } from '../../domain/aggregates.ts'
import { accountId, type AccountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { categoryOf, idOf, type StreamName } from '../../domain/streams.ts'
import { isSealed, seal, unseal } from './sealing.ts'

/**
 * Encodes states for snapshot stores. A state is sealed whole if the category has personal data; otherwise it is kept as text
 * with a digest. Either way, a state that was changed in the store, or moved to another revision or stream, is noticed.
 */
export interface SnapshotCodec {
  /**
   * The JSON text of the state. Undefined if the state must not be kept: its category has no snapshots, or its account's key is
   * destroyed.
   */
  encode(stream: StreamName, stateVersion: number, snapshot: Snapshot): Promise<string | undefined>
  /** The state; undefined if its account's key is destroyed. Rejects if the stored text differs from what was written. */
  decode(stream: StreamName, stateVersion: number, stored: Snapshot): Promise<Snapshot | undefined>
}

export function snapshotCodec(keys: PersonalDataKeys, catalogs: EventCatalogs = eventCatalogs): SnapshotCodec {
  return {
    async encode(stream, stateVersion, { revision, state }) {
      if (catalogOf(catalogs, stream)?.snapshots === 'none') return undefined
      const subject = subjectOf(catalogs, stream)
      if (subject === undefined) return JSON.stringify(digested(context(stream, stateVersion, revision), state))
      const key = (await keys.keysFor([subject])).get(subject)
      return key && JSON.stringify(seal(key, context(stream, stateVersion, revision), state))
    },
    async decode(stream, stateVersion, { revision, state }) {
      const subject = subjectOf(catalogs, stream)
      if (subject === undefined) {
        // Earlier versions kept states without a digest. Those count as missing.
        if (!isDigested(state)) return undefined
        return { revision, state: unlessChanged(context(stream, stateVersion, revision), state) }
      }
      if (!isSealed(state)) throw new Error('a snapshot with personal data is not sealed')
      const key = (await keys.existingKeys([subject])).get(subject)
      return key && { revision, state: unseal(key, context(stream, stateVersion, revision), state) }
    },
  }
}

/** A stored state without personal data. Its text is kept as a string, because JSON columns reformat their content. */
const digestedState = z.strictObject({ text: z.string(), $digest: z.string() })
type DigestedState = z.infer<typeof digestedState>

function digested(about: readonly string[], state: unknown): DigestedState {
  const text = JSON.stringify(state)
  return { text, $digest: digestOf(about, text) }
}

/** Throws if it differs from what was written. */
function unlessChanged(about: readonly string[], stored: unknown): unknown {
  const { text, $digest } = digestedState.parse(stored)
  if (digestOf(about, text) !== $digest) throw new Error('a snapshot is not what was written')
  return JSON.parse(text)
}

function isDigested(stored: unknown): boolean {
  return typeof stored !== 'object' || stored === null || '$digest' in stored
}

const digestOf = (about: readonly string[], text: string): string =>
  createHash('sha256')
    .update(JSON.stringify([...about, text]))
    .digest('base64url')

/** The account that a state is about, read from the name of the stream; undefined if the category has no personal data. */
function subjectOf(catalogs: EventCatalogs, stream: StreamName): AccountId | undefined {
  const catalog = catalogOf(catalogs, stream)
  if (catalog?.snapshots === 'clear') return undefined
  return catalog?.subjectOf && accountId(snowflake(catalog.subjectOf(idOf(stream), {})))
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
