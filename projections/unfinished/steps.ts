import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { UnfinishedStep } from '../../application/ports/queries/unfinished-queries.ts'
import { put, remove, type RowChange } from '../runner/projection.ts'

/** What can end a step, besides its key. */
export interface EndedWith {
  readonly guild_id?: string
  readonly account_id?: string
  readonly invite_code?: string
  /** The previous tag of the account, or the hash of its previous address with its id. */
  readonly replaced?: string
}

/** The row of a step that an event began. */
export function begun(
  process: UnfinishedStep['process'],
  key: string,
  event: RecordedEvent,
  endedWith: EndedWith,
): RowChange {
  const { metadata, stream, position, data } = event
  return put('steps', {
    process,
    key,
    event_id: metadata.eventId,
    correlation_id: metadata.correlationId,
    stream,
    since: metadata.at,
    position: position.toString(),
    data: { ...data },
    guild_id: null,
    account_id: null,
    invite_code: null,
    replaced: null,
    ...endedWith,
  })
}

/** A step that is finished. */
export function ended(process: UnfinishedStep['process'], key: string): RowChange {
  return remove('steps', { process, key })
}
