import shared from '@eventstore/db-client/generated/shared_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import { z } from 'zod'
import { beforeAll, type Position, type Revision } from '../../../domain/kernel/position.ts'
import type { StreamName } from '../../../domain/streams.ts'
import type { StoredEvent } from '../stored-event.ts'

const { Options } = messages.ReadReq
const directions = { forwards: 0, backwards: 1 } as const

/** An event as EventStoreDB returns it. */
export interface ReadEvent extends StoredEvent {
  /** The store's own id for it. It belongs to the append that wrote the event, and to no other append. */
  readonly storeId: string
  /** When the server accepted it, in milliseconds since the Unix epoch. */
  readonly recorded_ms: number
  /** The size of data and metadata. */
  readonly bytes: number
}

/** Events of a stream from a revision on, inclusive, or from its end backwards. */
export function streamRequest(
  stream: StreamName,
  direction: keyof typeof directions,
  from: Revision | 'end',
  limit: number,
): messages.ReadReq {
  const of = new Options.StreamOptions().setStreamIdentifier(identifier(stream))
  const start = from === 'end' ? of.setEnd(new shared.Empty()) : of.setRevision(String(from))
  return request(plain(limit).setStream(start).setReadDirection(directions[direction]))
}

/** Events of all streams with these prefixes from a position on, inclusive. */
export function allRequest(prefixes: readonly string[], from: Position, limit: number): messages.ReadReq {
  return request(plain(limit).setAll(allFrom(from)).setFilter(streamsWith(prefixes, limit)))
}

/** The newest events of all streams with these prefixes, backwards. */
export function newestRequest(prefixes: readonly string[], limit: number): messages.ReadReq {
  const end = new Options.AllOptions().setEnd(new shared.Empty())
  const options = plain(limit).setAll(end).setFilter(streamsWith(prefixes, limit))
  return request(options.setReadDirection(directions.backwards))
}

/** Events of all streams with these prefixes after a position, exclusive, without an end. */
export function subscriptionRequest(prefixes: readonly string[], after: Position): messages.ReadReq {
  const options = plain().setAll(allFrom(after)).setFilter(streamsWith(prefixes))
  return request(options.setSubscription(new Options.SubscriptionOptions()))
}

function request(options: messages.ReadReq.Options): messages.ReadReq {
  return new messages.ReadReq().setOptions(options)
}

function plain(limit?: number): messages.ReadReq.Options {
  const options = new Options().setUuidOption(new Options.UUIDOption().setString(new shared.Empty()))
  return limit === undefined ? options : options.setCount(String(limit)).setNoFilter(new shared.Empty())
}

function allFrom(position: Position): messages.ReadReq.Options.AllOptions {
  const all = new Options.AllOptions()
  if (position === beforeAll) return all.setStart(new shared.Empty())
  // An append gives each event a position of its own, because the record that commits an event is the event itself.
  const text = String(position)
  return all.setPosition(new Options.Position().setCommitPosition(text).setPreparePosition(text))
}

/** How many events the server scans before it reports, and how many such reports make a checkpoint. */
const window_events = 500
const windowsPerCheckpoint = 4

/** Servers of 22.10 scan at least as many events as were requested, and refuse a window that is not larger. */
function streamsWith(prefixes: readonly string[], limit = 0): messages.ReadReq.Options.FilterOptions {
  const named = new Options.FilterOptions.Expression().setPrefixList([...prefixes])
  const filter = new Options.FilterOptions().setStreamIdentifier(named).setMax(limit + window_events)
  return filter.setCheckpointintervalmultiplier(windowsPerCheckpoint)
}

export function identifier(stream: string): shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8'))
}

const withEventId = z.looseObject({ eventId: z.string() })
const ticksPerMillisecond = 10_000n
const highestPosition = 2n ** 63n - 1n

/** The event in a response, if there is one. */
export function eventOf(response: messages.ReadResp): ReadEvent | undefined {
  const recorded = response.getEvent()?.getEvent()
  if (!recorded) return undefined
  const [data, metadata] = [recorded.getData_asU8(), recorded.getCustomMetadata_asU8()]
  const storeId = recorded.getId()?.getString() ?? ''
  const own = ownMetadata(parsed(metadata), storeId)
  return {
    stream: text(recorded.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array()),
    revision: Number(recorded.getStreamRevision()),
    position: positionOf(recorded.getCommitPosition()),
    eventId: own.eventId,
    type: recorded.getMetadataMap().get('type') ?? '',
    data: parsed(data),
    metadata: own.metadata,
    storeId,
    recorded_ms: Number(BigInt(recorded.getMetadataMap().get('created') ?? 0) / ticksPerMillisecond),
    bytes: data.length + metadata.length,
  }
}

/** The metadata as the codec wrote it, and the id that was stored beside it. For a foreign event, the store's own values. */
function ownMetadata(metadata: unknown, storeId: string): { readonly eventId: string; readonly metadata: unknown } {
  const { success, data } = withEventId.safeParse(metadata)
  if (!success) return { eventId: storeId, metadata }
  const { eventId, ...rest } = data
  return { eventId, metadata: rest }
}

/** A position as the protocol has it: 64 bits without a sign, all of them set for "none". */
export function positionOf(commitPosition: string): Position {
  const position = BigInt(commitPosition)
  if (position > highestPosition)
    throw new Error('EventStoreDB gave an event without its position: it must be 22.10 or newer')
  return position
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')

/** Parses bytes as JSON; undefined if they are not JSON. The codec judges the value. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(text(bytes))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
