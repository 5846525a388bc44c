import type { AdminExample } from './admin-example.ts'
import { bodyOf } from './answers.ts'

/** Reading history. */
export const historyExamples: Readonly<Record<string, AdminExample>> = {
  'Undo audit log entry': {
    succeeds: async ({ guildhall, admin: { token } }) => {
      const { id } = await guildhall.register()
      await guildhall.request('PUT', `/v1/admin/users/${id}/ban`, { token, body: { duration_hours: 1 } })
      const { body } = await guildhall.request('GET', `/v1/admin/audit-logs?limit=1&target_id=${id}`, { token })
      const [{ log_id: entry } = {}] = (body as { readonly logs: readonly { readonly log_id?: string }[] }).logs
      return { path: `/v1/admin/history/undo/${entry}`, body: {} }
    },
    refused: () => ({ path: '/v1/admin/history/undo/1', body: {}, status: 404 }),
  },
  'Get history stream': {
    succeeds: ({ admin }) => ({ path: `/v1/admin/history/streams/account-${admin.id}?reveal=true` }),
    refused: () => ({ path: '/v1/admin/history/streams/guild-1?reveal=true', status: 404 }),
  },
  'List history guild changes': {
    succeeds: async ({ guildhall, admin }) => {
      const made = await guildhall.request('POST', '/v1/guilds', { token: admin.token, body: { name: 'Home' } })
      return { path: `/v1/admin/history/guilds/${String(bodyOf(made)['id'])}/changes?reveal=true` }
    },
    refused: () => ({ path: '/v1/admin/history/guilds/1/changes?reveal=true', status: 404 }),
  },
  'Get history guild': {
    succeeds: async ({ guildhall, admin }) => {
      const { body } = await guildhall.request('POST', '/v1/guilds', { token: admin.token, body: { name: 'Engine' } })
      return { path: `/v1/admin/history/guilds/${String((body as { readonly id: unknown }).id)}?reveal=true` }
    },
    refused: () => ({ path: '/v1/admin/history/guilds/1?reveal=true', status: 404 }),
  },
  'List history guild audit log entries': {
    succeeds: async ({ guildhall, admin }) => {
      const made = await guildhall.request('POST', '/v1/guilds', { token: admin.token, body: { name: 'Home' } })
      return { path: `/v1/admin/history/guilds/${String(bodyOf(made)['id'])}/audit-logs?reveal=true` }
    },
    refused: () => ({ path: '/v1/admin/history/guilds/1/audit-logs?action=NOTHING&reveal=true', status: 400 }),
  },
  'List history stream events': {
    succeeds: ({ admin }) => ({ path: `/v1/admin/history/streams/account-${admin.id}/events?reveal=true` }),
    refused: () => ({ path: '/v1/admin/history/streams/nothing-1/events?reveal=true', status: 404 }),
  },
  'Search history events': {
    succeeds: () => ({ path: '/v1/admin/history/events?category=account&reveal=true' }),
    refused: () => ({ path: '/v1/admin/history/events?type=Nothing&reveal=true', status: 400 }),
  },
  'Explain history': {
    succeeds: async ({ guildhall, admin }) => {
      const headers = { 'X-Request-ID': `explained-${admin.id}` }
      await guildhall.request('POST', '/v1/guilds', { token: admin.token, headers, body: { name: 'Home' } })
      return { path: `/v1/admin/history/explain/${headers['X-Request-ID']}?reveal=true` }
    },
    refused: () => ({ path: '/v1/admin/history/explain/1?reveal=true', status: 404 }),
  },
  'Follow history events': {
    succeeds: () => ({ path: '/v1/admin/history/events/stream?reveal=true' }),
    refused: () => ({ path: '/v1/admin/history/events/stream?after=-1&reveal=true', status: 400 }),
  },
  'List history subject streams': {
    succeeds: ({ admin }) => ({ path: `/v1/admin/history/subjects/${admin.id}` }),
    refused: () => ({ path: '/v1/admin/history/subjects/1?limit=0', status: 400 }),
  },
}
