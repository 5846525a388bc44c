import { z } from 'zod'
import { secondsAfter } from '../../../../domain/kernel/timestamp.js'
import { admin } from '../../callers.js'
import { none, operation } from '../../operation.js'
import { activeJobs, isCancelled, jobsPage, jobsQuery, oneJob } from '../../schemas/administration/background-jobs.js'
import { backgroundJobIdInput } from '../../schemas/scalars.js'
import { adminJobs } from './buckets.js'

/** Reading jobs is not recorded (reference stores 4.11 and 4.12). */

const viewing = admin({ acls: ['jobs:view'] })
const jobParams = z.object({ job_id: backgroundJobIdInput })
const day_s = 86_400

export const listJobsOperation = operation({
  name: 'List background jobs',
  route: 'GET /v1/admin/jobs',
  callers: viewing,
  bucket: adminJobs,
  params: none,
  query: jobsQuery,
  body: none,
  replies: { 200: jobsPage },
  adminAudit: none,
  handle: ({ caller, query: { lookback_days: days, ...search } }, { backgroundJobs }) =>
    backgroundJobs.list({ ...search, since: secondsAfter(caller.context.now, -days * day_s) }),
})

export const listActiveJobsOperation = operation({
  name: 'List active background jobs',
  route: 'GET /v1/admin/jobs/active',
  callers: viewing,
  bucket: adminJobs,
  params: none,
  query: none,
  body: none,
  replies: { 200: activeJobs },
  adminAudit: none,
  handle: (_, { backgroundJobs }) => backgroundJobs.listActive(),
})

export const getJobOperation = operation({
  name: 'Get background job',
  route: 'GET /v1/admin/jobs/:job_id',
  callers: viewing,
  bucket: adminJobs,
  params: jobParams,
  query: none,
  body: none,
  replies: { 200: oneJob },
  adminAudit: none,
  refuses: ['NOT_FOUND'],
  handle: ({ params }, { backgroundJobs }) => backgroundJobs.get(params.job_id),
})

export const cancelJobOperation = operation({
  name: 'Cancel background job',
  route: 'PUT /v1/admin/jobs/:job_id/cancellation',
  callers: admin({ acls: ['jobs:cancel'] }),
  bucket: adminJobs,
  params: jobParams,
  query: none,
  body: none,
  replies: { 200: isCancelled },
  adminAudit: {
    action: 'cancel_job',
    target: ({ params }) => ({ type: 'job', id: params.job_id }),
    metadata: (_, { cancelled }) => ({ cancelled: String(cancelled) }),
  },
  refuses: ['NOT_FOUND'],
  handle: ({ params }, { backgroundJobs }) => backgroundJobs.cancel(params.job_id),
})
