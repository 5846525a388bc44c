import type { AdminActionRecorded } from '../../../domain/admin-audit/events.ts'
import { categoryOf } from '../../../domain/streams.ts'
import type { Ports } from '../../ports.ts'
import type { Foretold } from '../../dry-runs/dry-run.ts'
import { dryRunSchema, type DryRunObject } from '../../wire-objects/administration/dry-run-object.ts'
import { objectOf } from '../../wire-objects/declaration.ts'
import { maskedEvent, nothingRevealed } from '../history/masked-event.ts'

/** What a request would do, without what is personal. `status`: of the answer that it would have. */
export function dryRunObject(
  { dispatchesOf }: Pick<Ports, 'dispatchesOf'>,
  status: number,
  { events, letters, jobs }: Foretold,
): DryRunObject {
  return objectOf(dryRunSchema, {
    status,
    events: events.map((event, index) => {
      const {
        event: { stream, type, data },
        leftOut,
      } = maskedEvent(event, nothingRevealed)
      return {
        stream,
        type,
        data: data as Readonly<Record<string, unknown>>,
        left_out: leftOut,
        // None of them looks at where an event stands.
        dispatches: dispatchesOf({ ...event, revision: index, position: BigInt(index) }),
      }
    }),
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
