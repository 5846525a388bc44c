import { randomUUID } from 'node:crypto'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import { noStream, type Position, type Revision } from '../../../domain/kernel/position.ts'
import type { StreamName } from '../../../domain/streams.ts'
import { UnstorableEvents } from '../errors.ts'
import type { EncodedEvent } from '../stored-event.ts'
import { identifier } from './read-messages.ts'

/** An append as its tries are sent. */
export interface Proposal {
  readonly stream: StreamName
  readonly expected: Revision
  /** The ids of the events, in order. */
  readonly eventIds: readonly string[]
  /** The ids that the store knows the events by, in the same order. */
  readonly storeIds: readonly string[]
  readonly events: readonly messages.BatchAppendReq.ProposedMessage[]
  /** The size of all data and metadata. */
  readonly bytes: number
}

/**
 * Events of an imported history may exceed `appendBytes_max` of the port, if the server is configured to accept that. This is
 * the most that any server setting accepts which the client library supports.
 */
export const importedBytes_max = 3 * 1024 * 1024

/**
 * Encodes an append. The store knows its events by ids made here, and our own ids stand in the metadata. The reason:
 * EventStoreDB answers repeated ids with success, as if it had written them now, so the answer does not tell whether an append
 * was a repetition. With its own ids, an append is written once or refused, and all its tries count as one append in the store.
 */
export function proposalOf(stream: StreamName, expected: Revision, encoded: readonly EncodedEvent[]): Proposal {
  const storeIds = encoded.map(() => randomUUID())
  const parts = encoded.map(({ eventId, type, data, metadata }, index) => ({
    id: storeIds[index] ?? randomUUID(),
    type,
    data: Buffer.from(data, 'utf8'),
    metadata: Buffer.from(withEventId(metadata, eventId), 'utf8'),
  }))
  const bytes = parts.reduce((sum, part) => sum + part.data.length + part.metadata.length, 0)
  if (bytes > importedBytes_max) {
    throw new UnstorableEvents(stream, `its events have ${bytes} bytes, and may have ${importedBytes_max} together`)
  }
  return {
    stream,
    expected,
    eventIds: encoded.map(({ eventId }) => eventId),
    storeIds,
    events: parts.map(message),
    bytes,
  }
}

/** The metadata is always a JSON object with members. */
function withEventId(metadata: string, eventId: string): string {
  return `{"eventId":${JSON.stringify(eventId)},${metadata.slice(1)}`
}

interface Part {
  readonly id: string
  readonly type: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

function message({ id, type, data, metadata }: Part): messages.BatchAppendReq.ProposedMessage {
  const proposed = new messages.BatchAppendReq.ProposedMessage()
  proposed.setId(new shared.UUID().setString(id)).setData(data).setCustomMetadata(metadata)
  proposed.getMetadataMap().set('type', type).set('content-type', 'application/json')
  return proposed
}

/** One try of an append. The server refuses it if it gets to it only after `notAfter`. */
export function appendRequest(
  { stream, expected, events }: Proposal,
  correlationId: string,
  notAfter: Date,
): messages.BatchAppendReq {
  const options = new messages.BatchAppendReq.Options().setStreamIdentifier(identifier(stream))
  if (expected === noStream) options.setNoStream(new shared.Empty())
  else options.setStreamPosition(String(expected))
  const ms = notAfter.getTime()
  options.setDeadline(
    emptyTimestamp()
      ?.setSeconds(Math.floor(ms / 1000))
      .setNanos((ms % 1000) * 1_000_000),
  )
  return new messages.BatchAppendReq()
    .setCorrelationId(new shared.UUID().setString(correlationId))
    .setOptions(options)
    .setProposedMessagesList([...events])
    .setIsFinal(true)
}

/** Read from the bytes of options that hold nothing else (field 6, length 0): none of our packages exports its class. */
const emptyTimestamp = () => messages.BatchAppendReq.Options.deserializeBinary(Uint8Array.of(0x32, 0)).getDeadline()

/** What the server answered to a try. */
export type Answer =
  | { readonly outcome: 'written'; readonly revision: Revision; readonly position: Position | undefined }
  /** The stream stands at `current`, or will in a moment: reads may lag behind. */
  | { readonly outcome: 'wrong revision'; readonly current: Revision }
  /** Nothing was written, and sending it again would not help. */
  | { readonly outcome: 'refused'; readonly reason: string; readonly atFault: 'events' | 'size' | 'request' }
  /** The append may be written now or in a moment. */
  | { readonly outcome: 'unknown'; readonly reason: string }

export function answerOf(response: messages.BatchAppendResp): Answer {
  const success = response.getSuccess()
  if (!success) return failureAnswer(response)
  const position = success.getPosition()?.getCommitPosition()
  return {
    outcome: 'written',
    revision: Number(success.getCurrentRevision()),
    position: position === undefined ? undefined : BigInt(position),
  }
}

function failureAnswer(response: messages.BatchAppendResp): Answer {
  const status = response.getError()
  const details = status?.getDetails()
  const reason = status?.getMessage() ?? 'an answer without a result'
  switch (details?.getTypeName()) {
    case 'event_store.client.WrongExpectedVersion': {
      const wrong = details.unpack(
        (bytes) => shared.WrongExpectedVersion.deserializeBinary(bytes),
        details.getTypeName(),
      )
      const current = wrong?.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : noStream
      return { outcome: 'wrong revision', current }
    }
    case 'event_store.client.MaximumAppendSizeExceeded':
      return { outcome: 'refused', reason, atFault: 'size' }
    case 'event_store.client.BadRequest':
      return { outcome: 'refused', reason, atFault: 'events' }
    case 'event_store.client.AccessDenied':
    case 'event_store.client.StreamDeleted':
      return { outcome: 'refused', reason, atFault: 'request' }
    case 'event_store.client.Timeout':
      return { outcome: 'unknown', reason: `${reason} (the server was late, or its clock is ahead of this one's)` }
    default:
      return { outcome: 'unknown', reason }
  }
}
