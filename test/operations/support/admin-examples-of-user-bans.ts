import type { AdminExample } from './admin-example.ts'

const unknownUser = '/v1/admin/users/1/ban'

/** The examples of bans of accounts. */
export const userBanExamples: Readonly<Record<string, AdminExample>> = {
  'Ban user': {
    succeeds: async ({ guildhall }) => ({
      path: `/v1/admin/users/${(await guildhall.register()).id}/ban`,
      body: { duration_hours: 1 },
    }),
    refused: () => ({ path: unknownUser, body: { duration_hours: 1 }, status: 404 }),
  },
  'Lift ban': {
    succeeds: async ({ guildhall }) => ({ path: `/v1/admin/users/${(await guildhall.register()).id}/ban`, body: {} }),
    refused: () => ({ path: unknownUser, body: {}, status: 404 }),
  },
}
