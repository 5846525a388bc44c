import type { AdminExample } from './admin-example.ts'
import { bodyOf } from './answers.ts'

/** The examples of bringing guilds back. */
export const guildRewindExamples: Readonly<Record<string, AdminExample>> = {
  'Rewind guild': {
    succeeds: async ({ guildhall, admin }) => {
      const made = await guildhall.request('POST', '/v1/guilds', { token: admin.token, body: { name: 'Home' } })
      const to = new Date().toISOString()
      return { path: `/v1/admin/guilds/${String(bodyOf(made)['id'])}/rewind`, body: { to, dry_run: true } }
    },
    refused: () => ({ path: '/v1/admin/guilds/1/rewind', body: { to: '2026-01-01T00:00:00Z' }, status: 404 }),
  },
}
