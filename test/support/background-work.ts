import type { RunningParts } from '../../application/administration/jobs/run-background-job.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'

/** No administrator has requested anything. */
export const noBackgroundWork: RunningParts = {
  work: {
    due: async () => [],
    begin: async () => undefined,
    progress: async () => false,
    pause: async () => undefined,
    succeed: async () => undefined,
    withdraw: async () => undefined,
    fail: async () => undefined,
    sweep: async () => undefined,
  },
  tasks: {},
  now: () => timestamp(Date.now()),
}
