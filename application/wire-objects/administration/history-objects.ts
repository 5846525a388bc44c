import type { Actor, RecordedEvent } from '../../ports/event-store.ts'

/** Who caused an event: an account, an Admin key with its owner, or a part of the system by its name. */
function actorObject(actor: Actor) {
  return { kind: actor.kind, id: actor.kind === 'system' ? actor.name : actor.id, account_id: accountOf(actor) }
}

function accountOf(actor: Actor): string | null {
  if (actor.kind === 'system') return null
  return actor.kind === 'account' ? actor.id : actor.accountId
}

/** An event as readers of history see it, with the names of the members that are left out because they are personal. */
export type HistoryEventObject = ReturnType<typeof historyEventObject>

export function historyEventObject({
  event: { stream, revision, position, type, data, metadata },
  leftOut,
}: {
  readonly event: RecordedEvent
  readonly leftOut: readonly string[]
}) {
  return {
    event_id: metadata.eventId,
    stream,
    revision,
    position: position.toString(),
    type,
    at: metadata.at,
    actor: actorObject(metadata.actor),
    correlation_id: metadata.correlationId,
    causation_id: metadata.causationId,
    reason: metadata.reason ?? null,
    audit_log_id: metadata.adminAction?.entryId ?? null,
    data: data as Readonly<Record<string, unknown>>,
    left_out: leftOut,
  }
}
