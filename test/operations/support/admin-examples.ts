import type { AdminExample, ExampleStage } from './admin-example.ts'
import { archiveExamples } from './admin-examples-of-archives.ts'
import { blocklistExamples } from './admin-examples-of-blocklists.ts'
import { userDeletionExamples } from './admin-examples-of-user-deletion.ts'
import { bulkJobExamples } from './admin-examples-of-bulk-jobs.ts'
import { guildChangeExamples } from './admin-examples-of-guild-changes.ts'
import { guildReadExamples } from './admin-examples-of-guild-reads.ts'
import { guildRewindExamples } from './admin-examples-of-guild-rewinds.ts'
import { discoveryExamples } from './admin-examples-of-discovery.ts'
import { historyExamples } from './admin-examples-of-history.ts'
import { userFactExamples } from './admin-examples-of-user-facts.ts'
import { userBanExamples } from './admin-examples-of-user-bans.ts'
import { instanceExamples } from './admin-examples-of-instance.ts'
import { userMessageExamples } from './admin-examples-of-user-messages.ts'
import { userPeopleExamples } from './admin-examples-of-user-people.ts'
import { reportExamples } from './admin-examples-of-reports.ts'
import { userReadExamples } from './admin-examples-of-user-reads.ts'
import { userCorrectionExamples } from './admin-examples-of-user-corrections.ts'
import { bodyOf, listOf } from './answers.ts'

const unknownId = '1'

/** By the operation's name. */
export const adminExamples: Readonly<Record<string, AdminExample>> = {
  'Get current Admin user': { succeeds: () => ({ path: '/v1/admin/users/@me' }), refused: null },
  'Set user ACLs': {
    succeeds: async ({ guildhall }) => ({
      path: `/v1/admin/users/${(await guildhall.register()).id}/acls`,
      body: { acls: [] },
    }),
    refused: () => ({ path: `/v1/admin/users/${unknownId}/acls`, body: { acls: [] }, status: 404 }),
  },
  'Generate gift codes': {
    succeeds: () => ({
      path: '/v1/admin/gift-codes',
      body: { count: 1, duration_type: 'months', duration_quantity: 1 },
    }),
    refused: () => ({
      path: '/v1/admin/gift-codes',
      body: { count: 0, duration_type: 'months', duration_quantity: 1 },
      status: 400,
    }),
  },
  'List Admin ACLs': { succeeds: () => ({ path: '/v1/admin/acls' }), refused: null },
  'List Admin keys': { succeeds: () => ({ path: '/v1/admin/api-keys' }), refused: null },
  'Create Admin key': {
    succeeds: () => ({ path: '/v1/admin/api-keys', body: { name: 'Key', acls: [] } }),
    refused: () => ({ path: '/v1/admin/api-keys', body: { name: 'Key', acls: ['none'] }, status: 400 }),
  },
  'Get Admin key': {
    succeeds: async (stage) => ({ path: `/v1/admin/api-keys/${await keyIdOf(stage)}` }),
    refused: () => ({ path: `/v1/admin/api-keys/${unknownId}`, status: 404 }),
  },
  'Update Admin key': {
    succeeds: async (stage) => ({ path: `/v1/admin/api-keys/${await keyIdOf(stage)}`, body: { name: 'Renamed' } }),
    refused: () => ({ path: `/v1/admin/api-keys/${unknownId}`, body: { name: 'Renamed' }, status: 404 }),
  },
  'Delete Admin key': {
    succeeds: async (stage) => ({ path: `/v1/admin/api-keys/${await keyIdOf(stage)}` }),
    refused: () => ({ path: `/v1/admin/api-keys/${unknownId}`, status: 404 }),
  },
  'Check Admin audit log': {
    succeeds: () => ({ path: '/v1/admin/audit-logs/verification' }),
    refused: () => ({ path: '/v1/admin/audit-logs/verification?limit=0', status: 400 }),
  },
  'List Admin audit log entries': {
    succeeds: () => ({ path: '/v1/admin/audit-logs' }),
    refused: () => ({ path: '/v1/admin/audit-logs?limit=0', status: 400 }),
  },
  'Get Admin audit log entry': {
    succeeds: async ({ guildhall: { request }, admin: { token } }) => {
      await request('GET', '/v1/admin/acls', { token })
      const { logs } = bodyOf(await request('GET', '/v1/admin/audit-logs?limit=1', { token }))
      const [{ log_id: id } = {}] = logs as readonly { readonly log_id?: string }[]
      return { path: `/v1/admin/audit-logs/${id}` }
    },
    refused: () => ({ path: `/v1/admin/audit-logs/${unknownId}`, status: 404 }),
  },
  ...historyExamples,
  ...archiveExamples,
  ...userPeopleExamples,
  ...userMessageExamples,
  ...userCorrectionExamples,
  ...instanceExamples,
  ...userDeletionExamples,
  ...userFactExamples,
  ...userBanExamples,
  ...blocklistExamples,
  ...userReadExamples,
  ...reportExamples,
  ...bulkJobExamples,
  ...guildReadExamples,
  ...guildChangeExamples,
  ...guildRewindExamples,
  ...discoveryExamples,
}

/** A key of the administrator's. */
async function keyIdOf({ guildhall: { request }, admin: { token } }: ExampleStage): Promise<string> {
  await request('POST', '/v1/admin/api-keys', { token, body: { name: 'Key', acls: [] } })
  const [key] = listOf(await request('GET', '/v1/admin/api-keys', { token }))
  return String(key?.['key_id'])
}
