import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { z } from 'zod'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { categoryOf, type StreamName } from '../../../domain/streams.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { EventCatalogs } from '../../../domain/aggregates.ts'
import { definitionOf, publicEvent } from './public-event.ts'
import { addressOf } from './subjects.ts'

/** An event as a NATS message. */
export interface EventMessage {
  readonly subject: string
  readonly eventId: string
  readonly headers: MsgHdrs
  /** Empty if the event can't be carried: the receiver then reads it from the event store. */
  readonly body: Uint8Array
}

/** An event as it arrives. */
export interface CarriedEvent {
  readonly position: Position
  /** The position of the event just before it in the store. Positions have gaps, so it can't be derived from `position`. */
  readonly after: Position
  /** Undefined if the message does not hold the event: then it is read from the event store. */
  readonly event: RecordedEvent | undefined
}

export const positionHeader = 'Guildhall-Position'
export const afterHeader = 'Guildhall-After'
export const accountHeader = 'Guildhall-Account'

/** The most bytes that the headers, the subject and the protocol add to a body. */
const envelopeBytes_max = 4096

/** The message of the event that follows the one at `after`. The body never exceeds the server's limit for one message. */
export function encodeMessage(
  event: RecordedEvent,
  after: Position,
  { catalogs, messageBytes_max }: { readonly catalogs: EventCatalogs; readonly messageBytes_max: number },
): EventMessage {
  const { subject, account } = addressOf(event)
  const named = headers()
  named.set(positionHeader, event.position.toString())
  named.set(afterHeader, after.toString())
  if (account !== undefined) named.set(accountHeader, account)
  const body = bodyOf(event, catalogs)
  const fits = body.byteLength <= messageBytes_max - envelopeBytes_max
  return { subject, eventId: event.metadata.eventId, headers: named, body: fits ? body : noBody }
}

const noBody = new Uint8Array()

/** Empty for an event of an unknown type: nobody can tell which of its members are personal. */
function bodyOf(event: RecordedEvent, catalogs: EventCatalogs): Uint8Array {
  const definition = definitionOf(catalogs, event)
  if (!definition) return noBody
  const { stream, revision, type, data, metadata } = publicEvent(event, definition)
  return Buffer.from(JSON.stringify({ version: definition.version, stream, revision, type, data, metadata }), 'utf8')
}

const branded = <Text extends string>() => z.custom<Text>((value) => typeof value === 'string')

const carriedEvent = z.object({
  version: z.int().min(1),
  stream: z.custom<StreamName>((value) => typeof value === 'string' && categoryOf(value) !== undefined),
  revision: z.int().min(0),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  metadata: z.object({
    eventId: z.string(),
    at: branded<Timestamp>(),
    actor: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('account'), id: branded<AccountId>() }),
      z.object({ kind: z.literal('admin_key'), id: z.string(), accountId: branded<AccountId>() }),
      z.object({ kind: z.literal('system'), name: z.string() }),
    ]),
    correlationId: z.string(),
    causationId: z.string(),
    clientRequestId: z.string().exactOptional(),
    operation: z.string().exactOptional(),
    reason: z.string().exactOptional(),
  }),
})

/**
 * Reads a message. Undefined if it names no position. Without its event if the body does not hold one, or holds it in another
 * version than this process knows, as happens while the parts of an instance are updated one after another.
 */
export function decodeMessage(
  message: { readonly headers?: MsgHdrs | undefined; readonly data: Uint8Array },
  catalogs: EventCatalogs,
): CarriedEvent | undefined {
  const position = positionIn(message.headers?.get(positionHeader))
  const after = positionIn(message.headers?.get(afterHeader))
  if (position === undefined || after === undefined || after >= position) return undefined
  return { position, after, event: eventIn(message.data, position, catalogs) }
}

function positionIn(text: string | undefined): Position | undefined {
  return text !== undefined && /^(-1|\d{1,20})$/.test(text) ? BigInt(text) : undefined
}

function eventIn(body: Uint8Array, position: Position, catalogs: EventCatalogs): RecordedEvent | undefined {
  if (body.byteLength === 0) return undefined
  const { success, data: carried } = carriedEvent.safeParse(jsonOf(body))
  if (!success) return undefined
  const { version, ...event } = carried
  return definitionOf(catalogs, event)?.version === version ? { ...event, position } : undefined
}

/** Undefined for text that is not JSON: an event always is. */
function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
