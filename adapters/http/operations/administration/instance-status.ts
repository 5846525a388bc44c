import {
  readInstanceMetrics,
  readInstanceStatus,
} from '../../../../application/administration/instance/read-instance-status.ts'
import {
  instanceMetricsSchema,
  instanceStatusSchema,
} from '../../../../application/wire-objects/administration/instance-status-object.ts'
import { admin } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { adminJobs } from './buckets.ts'

// Looked at again and again, as jobs are, and no more recorded than they are.

const callers = admin({ acls: ['instance:config:view'] })

const getInstanceStatusOperation = operation({
  name: 'Get instance status',
  description:
    'The processes that serve the instance, how far its read models have come, and what the process that answers lacks.',
  route: 'GET /v1/admin/instance/status',
  callers,
  bucket: adminJobs,
  replies: { 200: instanceStatusSchema },
  adminAudit: none,
  useCase: readInstanceStatus,
  handle: (_, run) => run(),
})

const getInstanceMetricsOperation = operation({
  name: 'Get instance metrics',
  description: 'What the process that answers counts, as its page of metrics does, and how far the read models lag.',
  route: 'GET /v1/admin/instance/metrics',
  callers,
  bucket: adminJobs,
  replies: { 200: instanceMetricsSchema },
  adminAudit: none,
  useCase: readInstanceMetrics,
  handle: ({ caller }, run) => run(caller),
})

/** How the instance is right now. */
export const instanceStatusOperations: readonly Operation[] = [getInstanceStatusOperation, getInstanceMetricsOperation]
