import { z } from 'zod'
import { accountOf } from '../../../domain/audit/actors.ts'
import type { Actor, RecordedEvent } from '../../ports/event-store.ts'
import { secrets, snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

/** No cache may keep it: what is revealed is personal. */
export const historyEventSchema = wireObject('HistoryEvent', {
  event_id: z.string(),
  stream: z.string(),
  revision: z.int().describe('The number of the event in its stream, from 0.'),
  position: z.string(),
  type: z.string(),
  at: timestampOutput,
  actor: z.object({
    kind: z.enum(['account', 'admin_key', 'system']),
    id: z.string(),
    account_id: snowflakeOutput.nullable(),
  }),
  correlation_id: z.string(),
  causation_id: z.string(),
  client_request_id: z
    .string()
    .nullable()
    .describe('The X-Request-ID that the client chose; null where it chose none, and for what the system did.'),
  operation: z
    .string()
    .nullable()
    .describe('The operation that the request asked for; null for the system, and for what older versions recorded.'),
  reason: z.string().nullable(),
  audit_log_id: snowflakeOutput.nullable(),
  data: z
    .record(z.string(), z.unknown())
    .describe('In the newest version of the type, whose schema `/v1/events.json` has.')
    .register(secrets, { isSecret: true }),
  left_out: z.array(z.string()).readonly(),
})

export type HistoryEventObject = ObjectOf<typeof historyEventSchema>

/** Who caused an event: an account, an Admin key with its owner, or a part of the system by its name. */
export function actorObject(actor: Actor) {
  return { kind: actor.kind, id: actor.kind === 'system' ? actor.name : actor.id, account_id: accountOf(actor) }
}

export function historyEventObject({
  event: { stream, revision, position, type, data, metadata },
  leftOut,
}: {
  readonly event: RecordedEvent
  readonly leftOut: readonly string[]
}): HistoryEventObject {
  return objectOf(historyEventSchema, {
    event_id: metadata.eventId,
    stream,
    revision,
    position: position.toString(),
    type,
    at: metadata.at,
    actor: actorObject(metadata.actor),
    correlation_id: metadata.correlationId,
    causation_id: metadata.causationId,
    client_request_id: metadata.clientRequestId ?? null,
    operation: metadata.operation ?? null,
    reason: metadata.reason ?? null,
    audit_log_id: metadata.adminAction?.entryId ?? null,
    data: data as Readonly<Record<string, unknown>>,
    left_out: leftOut,
  })
}
