import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { Begun, DependsOn, Ended } from '../../application/processes/process-manager.ts'
import { put, remove, removeWhere, type Row, type RowChange } from '../runner/projection.ts'

/** The row of a step that an event began. */
export function begun(process: string, step: Begun, { metadata, stream, position }: RecordedEvent): RowChange {
  return put('steps', {
    process,
    key: step.key,
    event_id: metadata.eventId,
    correlation_id: metadata.correlationId,
    operation: metadata.operation ?? null,
    stream,
    since: metadata.at,
    position: position.toString(),
    data: { ...step.data },
    guild_id: null,
    account_id: null,
    invite_code: null,
    replaced: null,
    ...columnsOf(step),
  })
}

/** Steps of a process that are finished. */
export function ended(process: string, steps: Ended): RowChange {
  return 'key' in steps
    ? remove('steps', { process, key: steps.key })
    : removeWhere('steps', { process, ...columnsOf(steps) })
}

/** The columns of what is given. */
function columnsOf({ guildId, accountId, inviteCode, replaced }: DependsOn): Row {
  return {
    ...(guildId === undefined ? {} : { guild_id: guildId }),
    ...(accountId === undefined ? {} : { account_id: accountId }),
    ...(inviteCode === undefined ? {} : { invite_code: inviteCode }),
    ...(replaced === undefined ? {} : { replaced }),
  }
}
