import { z } from 'zod'
import { secondsAfter } from '../../../../domain/kernel/timestamp.ts'
import {
  cancelBackgroundJob,
  getBackgroundJob,
  listActiveBackgroundJobs,
  listBackgroundJobs,
} from '../../../../application/administration/jobs/read-background-jobs.ts'
import { admin } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { activeJobs, isCancelled, jobsPage, jobsQuery, oneJob } from '../../schemas/administration/background-jobs.ts'
import { backgroundJobIdInput } from '../../schemas/scalars.ts'
import { adminJobs } from './buckets.ts'

/** Reading jobs is not recorded. */

const viewing = admin({ acls: ['jobs:view'] })
const jobParams = z.object({ job_id: backgroundJobIdInput })
const day_s = 86_400

const listJobsOperation = operation({
  name: 'List background jobs',
  description: 'A page of the jobs that match, newest first.',
  route: 'GET /v1/admin/jobs',
  callers: viewing,
  bucket: adminJobs,
  query: jobsQuery,
  replies: { 200: jobsPage },
  adminAudit: none,
  useCase: listBackgroundJobs,
  handle: ({ caller, query: { lookback_days: days, ...search } }, run) =>
    run({ ...search, since: secondsAfter(caller.context.now, -days * day_s) }),
})

const listActiveJobsOperation = operation({
  name: 'List active background jobs',
  description: 'The jobs that are queued or running.',
  route: 'GET /v1/admin/jobs/active',
  callers: viewing,
  bucket: adminJobs,
  replies: { 200: activeJobs },
  adminAudit: none,
  useCase: listActiveBackgroundJobs,
  handle: (_, run) => run(),
})

const getJobOperation = operation({
  name: 'Get background job',
  description: 'Gives one background job.',
  route: 'GET /v1/admin/jobs/:job_id',
  callers: viewing,
  bucket: adminJobs,
  params: jobParams,
  replies: { 200: oneJob },
  adminAudit: none,
  refuses: ['NOT_FOUND'],
  useCase: getBackgroundJob,
  handle: ({ params }, run) => run(params.job_id),
})

const cancelJobOperation = operation({
  name: 'Cancel background job',
  description: 'Cancels a job that has not ended.',
  route: 'PUT /v1/admin/jobs/:job_id/cancellation',
  callers: admin({ acls: ['jobs:cancel'] }),
  bucket: adminJobs,
  params: jobParams,
  replies: { 200: isCancelled },
  adminAudit: {
    action: 'cancel_job',
    target: 'job',
    targetId: ({ params }) => params.job_id,
    metadata: (_, { cancelled }) => ({ cancelled: String(cancelled) }),
  },
  refuses: ['NOT_FOUND'],
  useCase: cancelBackgroundJob,
  handle: ({ params }, run) => run(params.job_id),
})

/** Background jobs. */
export const jobOperations: readonly Operation[] = [
  listJobsOperation,
  listActiveJobsOperation,
  getJobOperation,
  cancelJobOperation,
]
