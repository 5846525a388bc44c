import type { ItemResult, JobStatus } from '../../ports/background-jobs.ts'

export const jobStatuses = [
  'queued',
  'running',
  'succeeded',
  'cancelled',
  'deadletter',
] as const satisfies readonly JobStatus[]

/** What came of one item of a bulk job. */
export const itemResults = ['changed', 'unchanged', 'failed'] as const satisfies readonly ItemResult[]

/** A job is given up after this many attempts. */
export const jobAttempts_max = 8
