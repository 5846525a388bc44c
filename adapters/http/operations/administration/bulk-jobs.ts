import { bulkRules } from '../../../../application/administration/bulk/bulk-tasks.ts'
import { queueBulkJob } from '../../../../application/administration/bulk/queue-bulk-job.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { bulkJob, queuedJob } from '../../schemas/administration/bulk-jobs.ts'
import { adminBulk } from './buckets.ts'

const queueBulkJobOperation = operation({
  name: 'Queue bulk job',
  description:
    'Queues a job that does the same to each of many accounts or guilds; an id that is named twice counts once.',
  route: 'POST /v1/admin/bulk-jobs',
  callers: admin({ acls: [], onceValidated: Object.values(bulkRules).map(({ acl }) => acl) }),
  bucket: adminBulk,
  body: bulkJob,
  replies: { 200: queuedJob },
  adminAudit: {
    action: {
      anyOf: ['queue_bulk_job_dry_run', 'queue_bulk_job'],
      of: ({ body }) => (body.dryRun ? 'queue_bulk_job_dry_run' : 'queue_bulk_job'),
    },
    target: 'bulk_job',
    targetId: (_, { job_id: id }) => id,
    metadata: ({ body }) => ({ task: body.task, entity_count: String(new Set<string>(body.ids).size) }),
  },
  useCase: queueBulkJob,
  handle: ({ caller, body }, run) => run(caller, body),
})

/** Jobs that do the same to many accounts or guilds. */
export const bulkJobOperations: readonly Operation[] = [queueBulkJobOperation]
