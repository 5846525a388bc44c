import { bodyOf } from './answers.ts'
import type { AdminExample } from './admin-example.ts'

const unknown = '/v1/admin/users/1/deletion'
// A reason without a second entry in the audit log.
const schedule = { reason_code: 1 }
const never = { expected_pending_deletion_at: '2030-01-01T00:00:00Z' }

/** The examples of operations that schedule and cancel the deletion of accounts. */
export const userDeletionExamples: Readonly<Record<string, AdminExample>> = {
  'Schedule user deletion': {
    succeeds: async ({ guildhall }) => ({
      path: `/v1/admin/users/${(await guildhall.register()).id}/deletion`,
      body: schedule,
    }),
    refused: () => ({ path: unknown, body: schedule, status: 404 }),
  },
  'Cancel user deletion': {
    succeeds: async ({ guildhall, admin: { token } }) => {
      const path = `/v1/admin/users/${(await guildhall.register()).id}/deletion`
      const { user } = bodyOf(await guildhall.request('PUT', path, { token, body: schedule }))
      const { pending_deletion_at: dueAt } = user as { readonly pending_deletion_at: string }
      return { path, body: { expected_pending_deletion_at: dueAt } }
    },
    refused: () => ({ path: unknown, body: never, status: 404 }),
  },
}
