import type { AdminExample } from './admin-example.ts'

/** Of the task whose ACL is the first. The summary of a real job would come at any time. */
const body = { task: 'update_user_flags', user_ids: [], dry_run: true }

/** The examples of operations on many accounts or guilds. */
export const bulkJobExamples: Readonly<Record<string, AdminExample>> = {
  'Queue bulk job': {
    succeeds: () => ({ path: '/v1/admin/bulk-jobs', body }),
    refused: () => ({ path: '/v1/admin/bulk-jobs', body: { task: 'none' }, status: 400 }),
  },
}
