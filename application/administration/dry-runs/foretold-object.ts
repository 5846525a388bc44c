import type { AdminActionRecorded } from '../../../domain/admin-audit/events.ts'
import { categoryOf } from '../../../domain/streams.ts'
import type { Foretold } from '../../dry-runs/dry-run.ts'
import { dryRunSchema, type DryRunObject } from '../../wire-objects/administration/dry-run-object.ts'
import { objectOf } from '../../wire-objects/declaration.ts'
import { maskedEvent, nothingRevealed } from '../history/masked-event.ts'

/** What a request would do, without what is personal. `status`: of the answer that it would have. */
export function dryRunObject(status: number, { events, letters, jobs }: Foretold): DryRunObject {
  const masked = events.map((event) => maskedEvent(event, nothingRevealed))
  return objectOf(dryRunSchema, {
    status,
    events: masked.map(({ event: { stream, type, data }, leftOut }) => ({
      stream,
      type,
      data: data as Readonly<Record<string, unknown>>,
      left_out: leftOut,
    })),
    audit_entries: events.flatMap(({ stream, type, data }) =>
      categoryOf(stream) === 'admin_audit' && type === 'AdminActionRecorded'
        ? [entryOf(data as AdminActionRecorded)]
        : [],
    ),
    mails: letters.map(({ template, accountId }) => ({ template, user_id: accountId })),
    jobs,
  })
}

function entryOf({
  action,
  targetType,
  targetId,
  metadata,
}: AdminActionRecorded): DryRunObject['audit_entries'][number] {
  return { action, target_type: targetType, target_id: targetId, metadata }
}
